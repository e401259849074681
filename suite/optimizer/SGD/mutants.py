"""Wrong versions of sgd_step, one fault each."""


def _update(param, grad, buffer, lr, momentum, weight_decay, dampening, nesterov):
    """The right update."""
    step = grad + weight_decay * param
    if momentum != 0:
        if buffer is None:
            buffer = step.clone()
        else:
            buffer.mul_(momentum).add_(step, alpha=1 - dampening)
        step = step + momentum * buffer if nesterov else buffer
    param.sub_(lr * step)
    return param, buffer


def dampening_ignored(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """The gradient enters the buffer in full."""
    return _update(param, grad, momentum_buffer, lr, momentum, weight_decay, 0.0, nesterov)


def buffer_starts_at_zero(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """A missing buffer is taken for zeros, so that dampening applies to the first step."""
    buffer = grad * 0 if momentum_buffer is None and momentum != 0 else momentum_buffer
    return _update(param, grad, buffer, lr, momentum, weight_decay, dampening, nesterov)


def no_momentum_without_buffer(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """Without a buffer the step is plain, and none is made."""
    momentum = momentum if momentum_buffer is not None else 0.0
    return _update(param, grad, momentum_buffer, lr, momentum, weight_decay, dampening, nesterov)


def nesterov_ignored(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """Always the classical step along the buffer."""
    return _update(param, grad, momentum_buffer, lr, momentum, weight_decay, dampening, False)


def decay_ignored(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """Drops the weight decay."""
    return _update(param, grad, momentum_buffer, lr, momentum, 0.0, dampening, nesterov)


def decoupled_decay(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """The decay shrinks the parameter and never enters the buffer."""
    param.mul_(1 - lr * weight_decay)
    return _update(param, grad, momentum_buffer, lr, momentum, 0.0, dampening, nesterov)


def lr_in_buffer(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """The learning rate scales what goes into the buffer, as in other textbooks."""
    return _update(param, lr * (grad + weight_decay * param), momentum_buffer, 1.0, momentum, 0.0, dampening, nesterov)


def buffer_not_saved(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """param is right, the buffer keeps its old contents."""
    buffer = None if momentum_buffer is None else momentum_buffer.clone()
    _, new = _update(param, grad, buffer, lr, momentum, weight_decay, dampening, nesterov)
    return param, new if momentum_buffer is None else momentum_buffer


def returns_copies(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """The right numbers in new tensors; the arguments stay as they were."""
    buffer = None if momentum_buffer is None else momentum_buffer.clone()
    return _update(param.clone(), grad, buffer, lr, momentum, weight_decay, dampening, nesterov)


def updates_unused_buffer(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """With momentum = 0 the buffer is overwritten all the same."""
    result = _update(param, grad, momentum_buffer, lr, momentum, weight_decay, dampening, nesterov)
    if momentum == 0 and momentum_buffer is not None:
        momentum_buffer.copy_(grad)
    return result


def one_block(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """One program of 4096 elements and no grid."""
    old = param.clone()
    result = _update(param, grad, momentum_buffer, lr, momentum, weight_decay, dampening, nesterov)
    if param.is_contiguous():
        param.view(-1)[4096:] = old.view(-1)[4096:]
    return result


def updates_and_returns_copies(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    """Updates in place, but returns copies of the tensors that were passed in."""
    return tuple(None if x is None else x.clone() for x in _update(param, grad, momentum_buffer, lr, momentum, weight_decay, dampening, nesterov))

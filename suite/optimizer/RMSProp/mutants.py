"""Wrong versions of rmsprop_step, one fault each."""


def _update(param, grad, square_avg, lr, alpha, eps, weight_decay, eps_in_root=0.0):
    """The right update unless eps_in_root is given."""
    grad = grad + weight_decay * param
    square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    param.addcdiv_(grad, (square_avg + eps_in_root).sqrt() + eps, value=-lr)
    return param, square_avg


def drops_eps(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """eps is left out of the denominator."""
    return _update(param, grad, square_avg, lr, alpha, 0.0, weight_decay)


def fixed_eps(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """eps is 1e-8 whatever is asked for."""
    return _update(param, grad, square_avg, lr, alpha, 1e-8, weight_decay)


def eps_inside_root(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """eps is added under the root."""
    return _update(param, grad, square_avg, lr, alpha, 0.0, weight_decay, eps_in_root=eps)


def decay_ignored(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """Drops the weight decay."""
    return _update(param, grad, square_avg, lr, alpha, eps, 0.0)


def decoupled_decay(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """The decay shrinks the parameter and does not enter the average."""
    param.mul_(1 - lr * weight_decay)
    return _update(param, grad, square_avg, lr, alpha, eps, 0.0)


def decay_after_average(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """The average takes the gradient without its decay."""
    square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    param.addcdiv_(grad + weight_decay * param, square_avg.sqrt() + eps, value=-lr)
    return param, square_avg


def alpha_swapped(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """alpha weighs the new square, 1 - alpha the old average."""
    return _update(param, grad, square_avg, lr, 1 - alpha, eps, weight_decay)


def old_average(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """The step is divided by the root of the average before the update."""
    root = square_avg.sqrt() + eps
    step = (grad + weight_decay * param) / root
    before = param.clone()
    _update(param, grad, square_avg, lr, alpha, eps, weight_decay)
    param.copy_(before - lr * step)
    return param, square_avg


def average_not_saved(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """param is updated, square_avg is not written back."""
    _update(param, grad, square_avg.clone(), lr, alpha, eps, weight_decay)
    return param, square_avg


def returns_copies(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """The right numbers in new tensors; the arguments stay as they were."""
    return _update(param.clone(), grad, square_avg.clone(), lr, alpha, eps, weight_decay)


def one_block(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """One program of 4096 elements and no grid."""
    old = param.clone()
    result = _update(param, grad, square_avg, lr, alpha, eps, weight_decay)
    if param.is_contiguous():
        param.view(-1)[4096:] = old.view(-1)[4096:]
    return result


def updates_and_returns_copies(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    """Updates in place, but returns copies of the tensors that were passed in."""
    return tuple(None if x is None else x.clone() for x in _update(param, grad, square_avg, lr, alpha, eps, weight_decay))

"""Wrong versions of lion_step, one fault each."""
import torch


def _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay, sign=torch.sign):
    """The right update unless another sign is given."""
    param.mul_(1 - lr * weight_decay)
    param.sub_(lr * sign(beta1 * exp_avg + (1 - beta1) * grad))
    exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
    return param, exp_avg


def decay_ignored(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """Drops the weight decay."""
    return _update(param, grad, exp_avg, lr, beta1, beta2, 0.0)


def coupled_decay(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The decay is added to the gradient."""
    return _update(param, grad + weight_decay * param, exp_avg, lr, beta1, beta2, 0.0)


def decay_without_lr(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The parameter shrinks by weight_decay, not by lr * weight_decay."""
    return _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay / lr)


def sign_of_zero_is_one(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """An update of 0 makes a full step."""
    return _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay, lambda u: torch.where(u >= 0, 1.0, -1.0))


def sign_of_momentum(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The average alone gives the direction, the gradient is not mixed in."""
    return _update(param, grad, exp_avg, lr, 1.0, beta2, weight_decay) if beta1 else (param, exp_avg)


def sign_of_gradient(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The gradient alone gives the direction."""
    return _update(param, grad, exp_avg, lr, 0.0, beta2, weight_decay)


def betas_swapped(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """beta2 gives the direction, beta1 the average."""
    return _update(param, grad, exp_avg, lr, beta2, beta1, weight_decay)


def default_betas(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """beta1 is 0.9 whatever is asked for."""
    return _update(param, grad, exp_avg, lr, 0.9, beta2, weight_decay)


def average_first(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The direction comes from the average after its update."""
    param.mul_(1 - lr * weight_decay)
    exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
    param.sub_(lr * torch.sign(beta1 * exp_avg + (1 - beta1) * grad))
    return param, exp_avg


def no_sign(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """A step along the average itself, as momentum does."""
    return _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay, lambda u: u)


def average_not_saved(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """param is updated, exp_avg is not written back."""
    _update(param, grad, exp_avg.clone(), lr, beta1, beta2, weight_decay)
    return param, exp_avg


def returns_copies(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The right numbers in new tensors; the arguments stay as they were."""
    return _update(param.clone(), grad, exp_avg.clone(), lr, beta1, beta2, weight_decay)


def one_block(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """One program of 4096 elements and no grid."""
    old = param.clone()
    result = _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay)
    if param.is_contiguous():
        param.view(-1)[4096:] = old.view(-1)[4096:]
    return result


def decay_after_step(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """The decay shrinks the step as well."""
    _update(param, grad, exp_avg, lr, beta1, beta2, 0.0)
    param.mul_(1 - lr * weight_decay)
    return param, exp_avg


def sign_by_division(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """u / (|u| + 1e-2): almost a sign."""
    return _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay, lambda u: u / (u.abs() + 1e-2))


def updates_and_returns_copies(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """Updates in place, but returns copies of the tensors that were passed in."""
    return tuple(None if x is None else x.clone() for x in _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay))


def sign_of_nan_is_nan(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    """What is neither positive nor negative steps by itself: 0 does not move, NaN spreads."""
    sign = lambda u: torch.where(u > 0, 1, torch.where(u < 0, -1, u))
    return _update(param, grad, exp_avg, lr, beta1, beta2, weight_decay, sign=sign)

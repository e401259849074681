"""Wrong versions of adamw_step, one fault each."""


def _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, weight_decay, correct=True, inner_eps=False):
    """The right update unless a flag says otherwise."""
    param.mul_(1 - lr * weight_decay)
    exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    first, second = (1 - beta1**step, 1 - beta2**step) if correct else (1.0, 1.0)
    if inner_eps:
        denominator = (exp_avg_sq / second + eps).sqrt()
    else:
        denominator = exp_avg_sq.sqrt() / second**0.5 + eps
    param.addcdiv_(exp_avg, denominator, value=-lr / first)
    return param, exp_avg, exp_avg_sq


def no_bias_correction(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """Moments are used without dividing by 1 - beta^step."""
    return _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, weight_decay, correct=False)


def step_off_by_one(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """Bias correction counts steps from zero and uses step + 1."""
    return _update(param, grad, exp_avg, exp_avg_sq, step + 1, lr, beta1, beta2, eps, weight_decay)


def coupled_decay(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """Weight decay is added to the gradient, as plain Adam does."""
    return _update(param, grad + weight_decay * param, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, 0.0)


def no_decay(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01):
    """Weight decay is ignored."""
    return _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, 0.0)


def drops_eps(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01):
    """eps is left out of the denominator."""
    return _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, 0.0, weight_decay)


def eps_inside_root(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """eps is added to the variance, inside the square root."""
    return _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, weight_decay, inner_eps=True)


def returns_copies(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """The right numbers in new tensors; the arguments stay as they were."""
    return _update(param.clone(), grad, exp_avg.clone(), exp_avg_sq.clone(), step, lr, beta1, beta2, eps, weight_decay)


def state_not_saved(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """param is updated, the moments are not written back."""
    _update(param, grad, exp_avg.clone(), exp_avg_sq.clone(), step, lr, beta1, beta2, eps, weight_decay)
    return param, exp_avg, exp_avg_sq


def decays_after_update(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """The decay multiplies the parameter after the gradient step instead of before."""
    _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, 0.0)
    param.mul_(1 - lr * weight_decay)
    return param, exp_avg, exp_avg_sq


def first_block_only(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01,
):
    """Only the first 4096 elements are updated."""
    old = [t.clone() for t in (param, exp_avg, exp_avg_sq)]
    _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, weight_decay)
    if param.dim() == 1:
        for t, before in zip((param, exp_avg, exp_avg_sq), old):
            t[4096:] = before[4096:]
    return param, exp_avg, exp_avg_sq


def updates_and_returns_copies(
    param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01
):
    """Updates in place, but returns copies of the tensors that were passed in."""
    return tuple(None if x is None else x.clone() for x in _update(param, grad, exp_avg, exp_avg_sq, step, lr, beta1, beta2, eps, weight_decay))

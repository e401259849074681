"""Reference of adamw_step: the update of torch.optim.AdamW written out."""


def adamw_step(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01):
    param.mul_(1 - lr * weight_decay)
    exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    denominator = exp_avg_sq.sqrt() / (1 - beta2**step) ** 0.5 + eps
    param.addcdiv_(exp_avg, denominator, value=-lr / (1 - beta1**step))
    return param, exp_avg, exp_avg_sq

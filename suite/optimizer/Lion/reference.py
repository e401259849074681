"""Reference of lion_step: the update written out."""
import torch


def lion_step(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    param.mul_(1 - lr * weight_decay)
    param.sub_(lr * torch.sign(beta1 * exp_avg + (1 - beta1) * grad))
    exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
    return param, exp_avg

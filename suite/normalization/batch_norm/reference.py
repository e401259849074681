"""Reference of batch_norm: torch.nn.functional.batch_norm."""
import torch.nn.functional as F


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)

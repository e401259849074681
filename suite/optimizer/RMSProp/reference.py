"""Reference of rmsprop_step: the update of torch.optim.RMSprop written out."""


def rmsprop_step(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    grad = grad + weight_decay * param
    square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    param.addcdiv_(grad, square_avg.sqrt() + eps, value=-lr)
    return param, square_avg

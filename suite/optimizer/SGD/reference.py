"""Reference of sgd_step: the update of torch.optim.SGD written out."""


def sgd_step(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    step = grad + weight_decay * param
    if momentum != 0:
        if momentum_buffer is None:
            momentum_buffer = step.clone()
        else:
            momentum_buffer.mul_(momentum).add_(step, alpha=1 - dampening)
        step = step + momentum * momentum_buffer if nesterov else momentum_buffer
    param.sub_(lr * step)
    return param, momentum_buffer

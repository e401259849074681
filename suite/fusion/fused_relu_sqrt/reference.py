"""Square root of ReLU: the PyTorch reference."""
import torch


def fused_relu_sqrt(input, inplace=False, out=None):
    """sqrt(relu(input)); into input with inplace, into out if that is given."""
    result = torch.sqrt(torch.relu(input))
    if inplace:
        return input.copy_(result)
    return result if out is None else out.copy_(result)

"""input * other_mul - alpha * other_sub: the PyTorch reference."""
import torch


def fused_mul_sub(input, other_mul, other_sub, alpha=1, out=None):
    """The product minus alpha times other_sub; half precision by way of float32, as the contract promises."""
    wide = torch.float32 if input.dtype in (torch.float16, torch.bfloat16) else input.dtype
    operands = [x.to(wide) if isinstance(x, torch.Tensor) else x for x in (input, other_mul, other_sub)]
    result = torch.sub(operands[0] * operands[1], operands[2], alpha=alpha).to(input.dtype)
    return result if out is None else out.copy_(result)

"""Softmax attention-like block with dropout, residual and layer normalization: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_transformer_block(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """layer_norm(dropout(softmax(input @ weight1)) @ weight2 + residual)."""
    kept = F.dropout(torch.softmax(input @ weight1, dim=-1), p=dropout_p)
    z = kept @ weight2 + residual
    result = F.layer_norm(z, z.shape[-1:], eps=eps)
    return result if out is None else out.copy_(result)


def magnitude(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """What two random masks may differ by: 12 standard deviations of one result, which are 8.5 of a difference.

    Term k of the second product contributes s_k weight2[k] with variance p / (1 - p) s_k^2, independently of the
    others; layer normalization is linear for such small changes, with the derivative used here. The judge multiplies
    what is returned by 16 eps of float32. Nothing is random with p = 0 or 1.
    """
    s = torch.softmax(input @ weight1, dim=-1)
    z = s @ weight2 + residual
    if dropout_p in (0, 1):
        return torch.zeros_like(z)
    y = F.layer_norm(z, z.shape[-1:], eps=eps)
    centred = weight2 - weight2.mean(-1, keepdim=True)
    along = (y @ weight2.transpose(-1, -2) / weight2.shape[-1]).unsqueeze(-1) * y.unsqueeze(-2)
    spread = torch.sqrt(z.var(-1, correction=0, keepdim=True) + eps).unsqueeze(-1)
    change = s.unsqueeze(-1) * (centred - along) / spread
    deviation = torch.sqrt(dropout_p / (1 - dropout_p) * (change * change).sum(-2))
    return 12 * deviation / (16 * 2.0**-23)

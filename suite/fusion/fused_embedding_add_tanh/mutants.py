"""Plausible wrong implementations of embedding, sum and tanh; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(rows, other, out):
    result = torch.tanh(rows + other)
    return result if out is None else out.copy_(result)


def max_norm_ignored(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                     scale_grad_by_freq=False, sparse=False, out=None):
    """Looks rows up as they are."""
    return _finish(F.embedding(input_indices, weight), other, out)


def weight_not_updated(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                       scale_grad_by_freq=False, sparse=False, out=None):
    """Shortens what it read but leaves the table alone."""
    return _finish(F.embedding(input_indices, weight.clone(), None, max_norm, norm_type), other, out)


def every_row_shortened(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False, out=None):
    """Renormalizes the whole table, rows that do not occur too."""
    if max_norm is not None:
        F.embedding(torch.arange(weight.shape[0], device=weight.device), weight, None, max_norm, norm_type)
    return _finish(F.embedding(input_indices, weight), other, out)


def shortened_once_per_occurrence(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                                  scale_grad_by_freq=False, sparse=False, out=None):
    """Two occurrences of a row both multiply it by the scale of the original."""
    if max_norm is not None and input_indices.numel() > 0:
        norm = torch.linalg.vector_norm(weight.float(), norm_type, dim=1)
        scale = torch.where(norm > max_norm, max_norm / (norm + 1e-7), 1.0)
        count = torch.bincount(input_indices.reshape(-1), minlength=weight.shape[0]).clamp(max=2)
        weight.mul_((scale ** count).to(weight.dtype)[:, None])
    return _finish(F.embedding(input_indices, weight), other, out)


def norm_type_ignored(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                      scale_grad_by_freq=False, sparse=False, out=None):
    """Always the Euclidean norm."""
    return _finish(F.embedding(input_indices, weight, None, max_norm), other, out)


def rows_stretched_too(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                       scale_grad_by_freq=False, sparse=False, out=None):
    """Gives every row that occurs the norm max_norm, short ones too."""
    if max_norm is not None and input_indices.numel() > 0:
        used = torch.unique(input_indices)
        norm = torch.linalg.vector_norm(weight[used].float(), norm_type, dim=1, keepdim=True)
        weight[used] = (weight[used] * (max_norm / norm)).to(weight.dtype)
    return _finish(F.embedding(input_indices, weight), other, out)


def padding_row_is_zero(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False, out=None):
    """Treats the row padding_idx as zeros."""
    rows = F.embedding(input_indices, weight, None, max_norm, norm_type)
    if padding_idx is not None:
        rows = rows.masked_fill((input_indices == padding_idx % weight.shape[0]).unsqueeze(-1), 0)
    return _finish(rows, other, out)


def tanh_before_add(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                    scale_grad_by_freq=False, sparse=False, out=None):
    """Activates the rows and adds afterwards."""
    result = torch.tanh(F.embedding(input_indices, weight, None, max_norm, norm_type)) + other
    return result if out is None else out.copy_(result)


def exponential_overflow(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                         scale_grad_by_freq=False, sparse=False, out=None):
    """tanh as (e^2z - 1) / (e^2z + 1): inf / inf for large z."""
    e = torch.exp(2 * (F.embedding(input_indices, weight, None, max_norm, norm_type) + other))
    result = (e - 1) / (e + 1)
    return result if out is None else out.copy_(result)


def columns_beyond_1024_dropped(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                                scale_grad_by_freq=False, sparse=False, out=None):
    """One block of 1024 columns and no loop: further columns stay 0."""
    result = _finish(F.embedding(input_indices, weight, None, max_norm, norm_type), other, None)
    result[..., 1024:] = 0
    return result if out is None else out.copy_(result)


def one_index_of_a_row(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                       scale_grad_by_freq=False, sparse=False, out=None):
    """Takes the first index of each row of indices for the whole row."""
    index = input_indices
    if index.dim() > 1 and index.numel() > 0:
        index = index[..., :1].expand(index.shape)
    return _finish(F.embedding(index, weight, None, max_norm, norm_type), other, out)


def out_not_written(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                    scale_grad_by_freq=False, sparse=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _finish(F.embedding(input_indices, weight, None, max_norm, norm_type), other, None)

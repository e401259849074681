"""Plausible wrong versions of cosine similarity and average pooling; each must be rejected."""
import torch
import torch.nn.functional as F


def _pool(similarity, kernel_size, stride, padding):
    return F.avg_pool2d(similarity.unsqueeze(1), kernel_size, stride=stride, padding=padding)


def padding_not_counted(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Divides by the number of positions inside the image."""
    similarity = F.cosine_similarity(x1, x2, dim=1, eps=eps).unsqueeze(1)
    return F.avg_pool2d(similarity, kernel_size, stride=stride, padding=padding, count_include_pad=False)


def eps_added_to_squares(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Lengths as sqrt(sum of squares + eps)."""
    lengths = torch.sqrt((x1 * x1).sum(1) + eps) * torch.sqrt((x2 * x2).sum(1) + eps)
    return _pool((x1 * x2).sum(1) / lengths, kernel_size, stride, padding)


def eps_holds_the_product(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """max(|a| |b|, eps) instead of a bound for each length."""
    lengths = (x1.norm(dim=1) * x2.norm(dim=1)).clamp(min=eps)
    return _pool((x1 * x2).sum(1) / lengths, kernel_size, stride, padding)


def pooled_first(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Averages the images, then takes the similarity."""
    a, b = (F.avg_pool2d(x, kernel_size, stride=stride, padding=padding) for x in (x1, x2))
    return F.cosine_similarity(a, b, dim=1, eps=eps).unsqueeze(1)


def dot_product(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Does not normalize."""
    return _pool((x1 * x2).sum(1), kernel_size, stride, padding)


def stride_ignored(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Windows lie kernel_size apart; the output has the right size."""
    right = _pool(F.cosine_similarity(x1, x2, dim=1, eps=eps), kernel_size, stride, padding)
    near = _pool(F.cosine_similarity(x1, x2, dim=1, eps=eps), kernel_size, None, padding)
    rows, columns = right.shape[-2:]
    near = F.pad(near, (0, max(columns - near.shape[-1], 0), 0, max(rows - near.shape[-2], 0)))
    return near[..., :rows, :columns].contiguous()


def no_channel_dimension(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Returns (N, H', W')."""
    return _pool(F.cosine_similarity(x1, x2, dim=1, eps=eps), kernel_size, stride, padding).squeeze(1)


def last_channels_missing(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Works on blocks of 32 channels without a tail."""
    channels = x1.shape[1] // 32 * 32 or x1.shape[1]
    return _pool(F.cosine_similarity(x1[:, :channels], x2[:, :channels], dim=1, eps=eps), kernel_size, stride, padding)


def reads_65536(x1, x2, kernel_size, stride=None, padding=0, eps=1e-08):
    """Reads 65536 elements of each image and takes the rest for 0."""
    x1, x2 = (x.contiguous().clone() for x in torch.broadcast_tensors(x1, x2))
    x1.view(-1)[65536:] = x2.view(-1)[65536:] = 0
    return _pool(F.cosine_similarity(x1, x2, dim=1, eps=eps), kernel_size, stride, padding)

"""Wrong versions of binomial draws, one fault each."""
import torch


def _check(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError("exactly one of probs and logits must be given")
    return probs if probs is not None else torch.sigmoid(logits)


def _trials(input, other, total_count):
    trials = (input & other).double()
    if isinstance(total_count, torch.Tensor):
        return torch.minimum(trials, total_count.double())
    return trials.clamp(max=total_count)


def _draw(trials, p):
    trials, p = torch.broadcast_tensors(trials.to(p.dtype), p)
    return torch.binomial(trials.contiguous(), p.contiguous())


def total_count_decides(input, other, total_count, probs=None, logits=None):
    """What the published code does: total_count trials, input and other unused."""
    p = _check(probs, logits)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    count = total_count if isinstance(total_count, torch.Tensor) else torch.tensor(total_count, device=p.device)
    return _draw(count.expand(torch.broadcast_shapes(shape, count.shape)), p)


def total_count_ignored(input, other, total_count, probs=None, logits=None):
    """As many trials as the AND says, however small total_count is."""
    return _draw(input & other, _check(probs, logits))


def bitwise_or(input, other, total_count, probs=None, logits=None):
    """OR instead of AND."""
    return _draw(_trials(input | other, input | other, total_count), _check(probs, logits))


def smaller_of_the_two(input, other, total_count, probs=None, logits=None):
    """Takes the smaller number instead of the AND."""
    smaller = torch.minimum(input.long(), other.long())
    return _draw(_trials(smaller, smaller, total_count), _check(probs, logits))


def expectation(input, other, total_count, probs=None, logits=None):
    """n p, which is not even a whole number."""
    p = _check(probs, logits)
    return (_trials(input, other, total_count) * p).to(p.dtype)


def rounded_expectation(input, other, total_count, probs=None, logits=None):
    """n p rounded: nothing is random."""
    p = _check(probs, logits)
    return torch.round(_trials(input, other, total_count) * p).to(p.dtype)


def all_or_nothing(input, other, total_count, probs=None, logits=None):
    """One trial decides for all: the mean is right, the variance is not."""
    p = _check(probs, logits)
    trials = _trials(input, other, total_count)
    return (torch.bernoulli(p.expand(trials.shape)) * trials).to(p.dtype)


def normal_approximation(input, other, total_count, probs=None, logits=None):
    """A rounded normal number of the same mean and variance: it leaves the range."""
    p = _check(probs, logits)
    trials = _trials(input, other, total_count)
    noise = torch.randn(trials.shape, device=p.device) * (trials * p * (1 - p)).sqrt()
    return torch.round(trials * p + noise).to(p.dtype)


def failures(input, other, total_count, probs=None, logits=None):
    """Counts the failures."""
    return _draw(_trials(input, other, total_count), 1 - _check(probs, logits))


def probability_one_half(input, other, total_count, probs=None, logits=None):
    """Ignores the probabilities."""
    return _draw(_trials(input, other, total_count), torch.full_like(_check(probs, logits), 0.5))


def one_trial_more(input, other, total_count, probs=None, logits=None):
    """The loop over trials runs once too often."""
    return _draw(_trials(input, other, total_count) + 1, _check(probs, logits))


def same_numbers_every_call(input, other, total_count, probs=None, logits=None):
    """The seed is a constant, so every call gives the same numbers."""
    p = _check(probs, logits)
    trials, p = torch.broadcast_tensors(_trials(input, other, total_count).to(p.dtype), p)
    fixed = torch.Generator(device=p.device).manual_seed(0)
    return torch.binomial(trials.contiguous(), p.contiguous(), generator=fixed)


def one_stream_for_all(input, other, total_count, probs=None, logits=None):
    """Every element compares the same uniform numbers with its own probability."""
    p = _check(probs, logits)
    trials, p = torch.broadcast_tensors(_trials(input, other, total_count).to(p.dtype), p)
    hits = torch.zeros_like(trials)
    for k in range(int(trials.max()) if trials.numel() else 0):
        hits += (torch.rand((), device=p.device) < p) & (k < trials)
    return hits


def dtype_of_input(input, other, total_count, probs=None, logits=None):
    """The result is of input's dtype."""
    return _draw(_trials(input, other, total_count), _check(probs, logits)).to(input.dtype)


def tail_dropped(input, other, total_count, probs=None, logits=None):
    """The grid is numel // 256: the ragged last block stays 0, a possible but unlikely count."""
    result = _draw(_trials(input, other, total_count), _check(probs, logits))
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return result


def repeats_every_1024(input, other, total_count, probs=None, logits=None):
    """Every program of 1024 elements starts the generator anew, so that its numbers repeat in all of them."""
    p = _check(probs, logits)
    trials, p = torch.broadcast_tensors(_trials(input, other, total_count).to(p.dtype), p)
    n = trials.numel()
    hits = torch.zeros_like(trials)
    for k in range(int(trials.max()) if n else 0):
        u = torch.rand(1024, device=p.device).repeat(n // 1024 + 1)[:n].view(trials.shape)
        hits += (u < p) & (k < trials)
    return hits


def logits_taken_for_probabilities(input, other, total_count, probs=None, logits=None):
    """Clamps the log-odds to [0, 1] instead of taking their sigmoid."""
    _check(probs, logits)
    return _draw(_trials(input, other, total_count), probs if probs is not None else logits.clamp(0, 1))

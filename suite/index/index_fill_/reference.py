"""Fill slices in place: the PyTorch reference."""


def index_fill_(dim, x, index, value):
    """Sets the slices of x along dim that index names to value; returns x itself."""
    return x.index_fill_(dim, index, value)

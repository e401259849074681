import torch
from relu import relu


def test_relu():
    x = torch.randn(10)
    assert torch.equal(relu(x), x.clamp(min=0))

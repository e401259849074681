"""What a program of the self-check is."""

import dataclasses
import typing

import torch


@dataclasses.dataclass
class Program:
    run: typing.Callable
    inputs: typing.Callable  # (generator) -> list of CUDA tensors
    reference: typing.Callable  # the same in torch
    # What the tape must say: numbers of probe/probe.h's kbx_probe_check by name, "trouble" or "error" as a part of the text.
    expect: dict = dataclasses.field(default_factory=dict)
    tolerance: float = 1e-5  # of the largest difference
    replays: bool = True  # right on fresh inputs


def normal(*shape, dtype=torch.float32, scale=1.0):
    """(generator) -> one such tensor."""
    return lambda g: (torch.randn(*shape, generator=g, device="cuda") * scale).to(dtype)


def of(*makers):
    """(generator) -> inputs."""
    return lambda g: [make(g) for make in makers]

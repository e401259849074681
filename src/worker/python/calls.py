"""A `call` frame -> something to run: positional and keyword values, and the two ways of using an entry."""

import functools

from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file


def prepare(decoder, request, function, protocol):
    """What calls the entry; no frame of ours lies between. Protocol `function`: entry(*args, **kwargs). Protocol `optimizer`: the entry
    builds an object on the parameters in its first argument; for each list in the keyword `grads`, which the entry does
    not see, the gradients are set and step() is called; the result is the parameters."""
    args = [decoder.decode(value) for value in request["args"]]
    kwargs = {name: decoder.decode(value, name) for name, value in request.get("kwargs", {}).items()}
    if protocol != "optimizer":
        return functools.partial(function, *args, **kwargs)
    steps = kwargs.pop("grads", [])

    def optimize():
        optimizer, parameters = function(*args, **kwargs), list(args[0])
        for gradients in steps:
            for parameter, gradient in zip(parameters, gradients):
                parameter.grad = gradient
            optimizer.step()
        return parameters

    return optimize

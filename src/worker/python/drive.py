"""The one place from which a candidate's code runs. What the worker does around it is written as generators: they yield
what is to be called and get its result or exception back (made()). So the stack above the candidate is the same, line by line, at the
import, in a call that is judged, one that is recorded and one that is timed: no caller can be told from another."""

from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file


def made(call):
    """(result, exception) of a call: `yield from made(call)`. Nobody else holds them or the call from here on, so that what a
    candidate keeps by address or id is as stale as it can be."""
    answer = yield call
    items = tuple(answer)
    answer.clear()
    return items


def result_of(call):
    """The same, where an exception is to come out: `yield from result_of(call)`."""
    result, error = yield from made(call)
    if error is not None:
        raise error
    return result


def attempt(call):
    try:
        return [call(), None]
    except BaseException as error:
        return [None, error]


def drive(steps):
    """Runs a generator to its end, and what it yields; its return value."""
    answer = None
    while True:
        try:
            call = steps.send(answer)
        except StopIteration as end:
            return end.value
        answer, call = attempt(call), None

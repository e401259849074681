"""A test case around one zygote for the whole module."""

import struct
import unittest

import harness

_zygote = []


def zygote():
    if not _zygote:
        _zygote.append(harness.Zygote())
        if _zygote[0].hello is None:
            raise RuntimeError("the zygote does not start: %s" % _zygote[0].fatal)
    return _zygote[0]


def tearDownModule():  # noqa: N802  (unittest's name; test modules import it)
    while _zygote:
        _zygote.pop().close()


def f32(values):
    return struct.pack("<%df" % len(values), *values)


def floats(data):
    return list(struct.unpack("<%df" % (len(data) // 4), data))


class WorkerCase(unittest.TestCase):
    def start(self, role="value", **more):
        return zygote().fork(role, **more)

    def end(self, child):
        child.finish()
        self.assertEqual(child.wait()["status"], 0)

    def rules(self, reply):
        return sorted({finding["rule"] for finding in reply["findings"] if finding["severity"] == "reject"})

    def loaded(self, child, source, **more):
        reply = child.load(source, **more)
        self.assertTrue(reply["ok"], reply)
        return child

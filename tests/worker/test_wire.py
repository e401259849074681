"""The python and the C++ half of the wire name the same numbers; the framing refuses what is no frame."""

import ctypes
import os
import unittest

import harness

wire = harness.worker_module("wire")


class Constants(unittest.TestCase):
    def test_library_and_python_agree(self):
        library = ctypes.CDLL(harness.LIBRARY)
        library.kbx_wire_constants.restype = ctypes.c_size_t
        numbers = (ctypes.c_uint64 * 64)()
        count = library.kbx_wire_constants(numbers, ctypes.c_size_t(64))
        self.assertEqual(list(numbers[:count]), wire.constants())

    def test_capacity_is_respected(self):
        library = ctypes.CDLL(harness.LIBRARY)
        numbers = (ctypes.c_uint64 * 4)(0, 0, 77, 77)
        self.assertEqual(library.kbx_wire_constants(numbers, ctypes.c_size_t(2)), len(wire.constants()))
        self.assertEqual(list(numbers), [wire.PROTOCOL, 0x5758424B, 77, 77])


class Framing(unittest.TestCase):
    def setUp(self):
        self.read, self.write = os.pipe()
        self.sender, self.receiver = wire.Channel(self.write), wire.Channel(self.read)

    def tearDown(self):
        os.close(self.read)
        try:
            os.close(self.write)
        except OSError:
            pass

    def test_round_trip(self):
        payload = {"a": [1, 2.5, None, True, "snow \u2603 \U0001f600"], "b": {}}
        self.sender.send(wire.CALL, 9, payload)
        self.assertEqual(self.receiver.receive(), (wire.CALL, 9, payload))

    def test_foreign_bytes_are_refused(self):
        for header in (
            wire.HEADER.pack(b"KBXX", wire.PROTOCOL, 1, 0, 1),
            wire.HEADER.pack(wire.MAGIC, wire.PROTOCOL + 1, 1, 0, 1),
            wire.HEADER.pack(wire.MAGIC, wire.PROTOCOL, 1, wire.MAX_FRAME_BYTES + 1, 1),
        ):
            os.write(self.write, header)
            with self.assertRaises(wire.WireError):
                self.receiver.receive()

    def test_end_of_stream_is_an_error(self):
        os.write(self.write, wire.HEADER.pack(wire.MAGIC, wire.PROTOCOL, 1, 8, 1) + b"{}")
        os.close(self.write)
        with self.assertRaises(wire.WireError):
            self.receiver.receive()

    def test_too_long_a_payload_is_not_sent(self):
        with self.assertRaises(wire.WireError):
            self.sender.send(wire.CALL, 1, "x" * wire.MAX_FRAME_BYTES)


if __name__ == "__main__":
    unittest.main()

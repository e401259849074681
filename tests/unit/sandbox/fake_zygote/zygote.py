"""A zygote without torch, for the tests of the supervisor's side: its children answer every frame at once, except for
what the number of the card (`gpu` in prepare) and the candidate's source (in load) ask for."""

import json
import os
import select
import socket
import struct
import sys
import time

HEADER = struct.Struct("<4sHHII")
LOAD, LOADED, CALL, RETURNED, FINISH, BYE, PREPARE, PREPARED = range(1, 9)
NO_CUDA = {"kind": "not_judged", "type": "WorkerError", "message": "no CUDA here", "traceback": "", "line": 0}


def serve(fd, number):
    sock, source = socket.socket(fileno=fd), ""

    def exactly(count):
        data = b""
        while len(data) < count:
            part = sock.recv(count - len(data))
            if not part:
                os._exit(1)
            data += part
        return data

    while True:
        _, _, kind, length, sequence = HEADER.unpack(exactly(HEADER.size))
        ask, answer = json.loads(exactly(length)), {"ok": True}
        if kind == PREPARE:
            card = ask["gpu"]
            if card == 1:
                answer = {"ok": False, "error": NO_CUDA}
            elif card == 2:
                time.sleep(1000)
        elif kind == LOAD:
            source = ask["source"]
            answer["kernels"] = ask.get("kernels")
        elif kind == CALL:
            if source == "hang":
                time.sleep(1000)
            if source.startswith("killed ") and number <= int(source.split()[1]):  # those with the first so many numbers
                os.kill(os.getpid(), 9)
            if source.startswith("no server ") and number <= int(source.split()[2]):
                os.kill(os.getppid(), 9)
                os._exit(1)
            answer.update(id=ask["id"], result={"t": "none"})
        body = json.dumps(answer).encode()
        sock.sendall(HEADER.pack(b"KBXW", 1, kind + 1, len(body), sequence) + body)
        if kind == FINISH or (kind == PREPARE and card == 3):
            os._exit(0)


def main():
    sock = socket.socket(fileno=3)
    sock.send(json.dumps({"hello": {"protocol": 1, "python": "fake", "torch": "", "triton": "", "numpy": "", "jail": {"pid": True}, "seconds": 0}}).encode())
    children = {}
    while True:
        if select.select([sock], [], [], 0.01)[0]:
            data, fds, _, _ = socket.recv_fds(sock, 1 << 16, 4)
            if not data:
                return
            packet = json.loads(data)
            if "fork" in packet:
                pid = os.fork()
                if pid == 0:
                    serve(fds[0], packet["fork"]["id"])
                children[pid] = packet["fork"]["id"]
                sock.send(json.dumps({"forked": {"id": packet["fork"]["id"], "pid": pid}}).encode())
            for pid, ident in children.items():
                if packet.get("kill", {}).get("id") == ident:
                    os.kill(pid, 9)
            for fd in fds:
                os.close(fd)
        pid, status = os.waitpid(-1, os.WNOHANG) if children else (0, 0)
        if pid:
            sock.send(json.dumps({"exited": {"id": children.pop(pid), "pid": pid, "status": status}}).encode())


sys.exit(main())

"""A model's server that answers by a script: Chat Completions on loopback, streamed, the standard library alone.

with Server(answer) as s: s.port, s.asked      answer(text of all messages) -> (what was asked, the reply)
`asked` holds (what, text) in the order in which the questions came; a question that the script does not know is answered
with status 400 and stands in `unknown`.
"""

import http.server
import json
import threading

PIECE = 24  # characters of the reply in one event


def events(reply, prompt_tokens):
    """The stream as vendors send it: pieces, the end, the sums."""
    head = {"id": "scripted", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
    pieces = [reply[at : at + PIECE] for at in range(0, len(reply), PIECE)]
    rows = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}]
    rows += [{"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    rows.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": len(pieces), "total_tokens": prompt_tokens + len(pieces)}
    rows.append({"choices": [], "usage": usage})
    return ["data: %s\n\n" % json.dumps(head | row) for row in rows] + ["data: [DONE]\n\n"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = "\n".join(message["content"] for message in body["messages"])
        try:
            what, reply = self.server.answer(text)
        except LookupError as why:
            self.server.unknown.append(str(why))
            self.send_error(400, "the script does not know this question")
            return
        self.server.asked.append((what, text))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            for event in events(reply, len(text) // 4):
                self.wfile.write(event.encode())
                self.wfile.flush()
        except OSError:
            pass  # the call was stopped: another worker was first

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Handler)
        self.port, self.asked, self.unknown = self.server_address[1], [], []
        lock = threading.Lock()

        def one_at_a_time(text):
            with lock:
                return answer(text)

        self.answer = one_at_a_time

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

#!/usr/bin/env python3
"""A model server in the OpenAI shape that says one sentence: usage: model_server.py PORT FILE
Each request's Authorization goes into FILE, a line each. A question with the word "slowly" waits until FILE.go exists."""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FILE = Path(sys.argv[2])


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(FILE, "a") as seen:
            seen.write(self.headers.get("Authorization", "none") + "\n")
        deadline = time.monotonic() + 50
        while "slowly" in asked and not Path(f"{FILE}.go").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        said = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "The server has answered."}, "finish_reason": None}]}
        ended = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        for chunk in (said, ended):
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()

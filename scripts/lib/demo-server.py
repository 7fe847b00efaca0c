"""The two endpoints of examples/shares on a free port of loopback, which is the first line on standard output.

    demo-server.py [--broken]    with --broken, POST /relation/reward answers 502
"""

import hashlib
import http.server
import json
import sys
import urllib.parse

DETAIL = [
    {"id": "d1", "createTime": "2024-05-03T09:30:00Z", "title": "Spring tide"},
    {"id": "d2", "createTime": "2024-05-01T08:00:00Z", "title": "Moonrise over the Wadden Sea"},
    {"id": "d3", "createTime": "2024-05-04T18:45:10Z", "title": "Maré cheia"},
]
REWARD = [
    {"id": "r1", "createTime": "2024-05-03T09:30:00Z", "title": "For a share"},
    {"id": "r2", "createTime": "2024-05-02T12:15:30Z", "title": "First share of the month"},
]


class Relations(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    is_broken = "--broken" in sys.argv

    def do_POST(self):
        form = self.read_form()
        if self.path == "/relation/detail":
            signed = form.get("uid", "") + form.get("session_id", "")
            if form.get("token") == hashlib.md5(signed.encode()).hexdigest():
                self.answer(200, {"code": "200", "message": "ok", "data": {"relation": DETAIL}})
            else:
                self.answer(200, {"code": "403", "message": "the token does not fit uid and session_id"})
        elif self.path == "/relation/reward" and self.is_broken:
            self.answer(502, {"code": "502", "message": "the reward service is down"})
        elif self.path == "/relation/reward":
            self.answer(200, {"code": "200", "message": "ok", "data": {"relation": REWARD}})
        else:
            self.answer(404, {"code": "404", "message": f"nothing at {self.path}"})

    def read_form(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return dict(urllib.parse.parse_qsl(body.decode(errors="replace")))

    def answer(self, status, value):
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relations)
print(server.server_address[1], flush=True)
server.serve_forever()

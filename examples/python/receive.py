#!/usr/bin/env python3
"""Receives webhooks, verifies and prints them, with the standard library alone. See README.md beside this folder.

    python3 receive.py                 reads PORTICO_WEBHOOK_SECRET (two during a rotation, a blank between) and PORT (3000)
    python3 receive.py --vectors FILE  checks this code against docs/webhook-vectors.json
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def refusal(secrets, id, timestamp, signature, body, now):
    """What is wrong with it, or None. `body` are the bytes as they came."""
    if not id or not timestamp or not signature:
        return "a header is missing"
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return "the timestamp is no number of seconds"
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return "too old, or a clock is wrong"
    text = f"{id}.{timestamp}.".encode() + body
    for secret in secrets.split(" "):
        key = base64.b64decode(secret[len("whsec_"):])
        right = b"v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest())
        if any([hmac.compare_digest(each.encode(), right) for each in signature.split(" ")]):
            return None
    return "the signature is wrong"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = [self.headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")]
        wrong = refusal(os.environ["PORTICO_WEBHOOK_SECRET"], *headers, body, int(time.time()))
        print(f"refused: {wrong}" if wrong else body.decode(), flush=True)
        # 2xx: it arrived. Answer at once and work afterwards; what comes twice has the same webhook-id.
        self.send_response(400 if wrong else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


def check_vectors(file):
    with open(file, encoding="utf-8") as opened:
        vectors = json.load(opened)["vectors"]
    wrong = 0
    for v in vectors:
        headers = (v["id"], v["timestamp"], v["signature"])
        found = refusal(v["secrets"], *headers, v["body"].encode(), int(v["now"]))
        if (found is None) != (v["expected"] == "valid"):
            wrong += 1
            print(f"wrong: {v['name']}", file=sys.stderr)
    print(f"{len(vectors) - wrong} of {len(vectors)} vectors hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--vectors"] and len(sys.argv) == 3:
        sys.exit(check_vectors(sys.argv[2]))
    if not os.environ.get("PORTICO_WEBHOOK_SECRET"):
        sys.exit("set PORTICO_WEBHOOK_SECRET")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

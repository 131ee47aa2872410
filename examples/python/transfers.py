#!/usr/bin/env python3
"""Lists transfers page by page, signed with the standard library alone. See README.md beside this folder.

    python3 transfers.py                 reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
    python3 transfers.py --vectors FILE  checks this code against docs/signing-vectors.json
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from urllib.parse import quote, unquote_to_bytes


def encode(text):
    """+ to space, %XX to bytes, then everything but A-Z a-z 0-9 - . _ ~ to upper-case %XX. An invalid % stands for itself."""
    return quote(unquote_to_bytes(text.replace("+", " ")), safe="")


def canonical_query(query):
    """Sorted by name alone; sort() is stable, so a repeated name keeps its order."""
    pairs = []
    for piece in query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            pairs.append((encode(name), encode(value)))
    pairs.sort(key=lambda pair: pair[0])
    return "&".join(f"{name}={value}" for name, value in pairs)


def string_to_sign(method, path, query, body, timestamp, nonce, key_id):
    body_hash = hashlib.sha256(body).hexdigest()
    lines = ["PORTICO1-HMAC-SHA256", method, path, canonical_query(query), timestamp, nonce, key_id, body_hash]
    return "\n".join(lines)


def sign(secret, text):
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def get(path, query):
    key_id, timestamp = os.environ["PORTICO_KEY_ID"], str(int(time.time()))
    nonce = str(uuid.uuid4())  # a fresh one for every request, also when one is repeated
    text = string_to_sign("GET", path, query, b"", timestamp, nonce, key_id)
    headers = {
        "X-Api-Key": key_id,
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Signature": sign(os.environ["PORTICO_SECRET"], text),
    }
    request = urllib.request.Request(f"{os.environ['PORTICO_URL']}{path}?{query}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        sys.exit(f"{answer['code']}: {answer['message']}")
    except urllib.error.URLError as error:
        sys.exit(f"{os.environ['PORTICO_URL']}: {error.reason}")


def list_transfers():
    page, pages = 0, 1
    while page < pages:
        data = get("/api/v1/transfers", f"page={page}&size=5&sort=status,asc&sort=amount,desc")
        for transfer in data["content"]:
            print(transfer["transferId"], transfer["amount"], transfer["currency"], transfer["status"])
        page, pages = page + 1, data["page"]["totalPages"]


def check_vectors(file):
    with open(file, encoding="utf-8") as opened:
        vectors = json.load(opened)["vectors"]
    wrong = 0
    for vector in vectors:
        r = vector["request"]
        body = base64.b64decode(r["bodyBase64"]) if "bodyBase64" in r else r["body"].encode()
        text = string_to_sign(r["method"], r["path"], r["query"], body, r["timestamp"], r["nonce"], r["apiKeyId"])
        got = (canonical_query(r["query"]), text, sign(vector["secret"], text))
        if got != (vector["canonicalQuery"], vector["stringToSign"], vector["signature"]):
            wrong += 1
            print(f"wrong: {vector['name']}", file=sys.stderr)
    print(f"{len(vectors) - wrong} of {len(vectors)} vectors hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--vectors"] and len(sys.argv) == 3:
        sys.exit(check_vectors(sys.argv[2]))
    for name in ("PORTICO_URL", "PORTICO_KEY_ID", "PORTICO_SECRET"):
        if not os.environ.get(name):
            sys.exit(f"set {name}")
    list_transfers()

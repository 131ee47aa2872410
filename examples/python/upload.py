"""Uploads a file with nothing but the standard library. See README.md beside this folder.
  upload.py FILE CATEGORY   CATEGORY is a code, as 8 for an invoice; reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
"""
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


def hash_of(file):
    digest = hashlib.sha256()
    with open(file, "rb") as stream:
        for piece in iter(lambda: stream.read(1 << 16), b""):
            digest.update(piece)
    return digest.hexdigest()


def upload(file, category):
    base, key_id, secret = (os.environ[name] for name in ("PORTICO_URL", "PORTICO_KEY_ID", "PORTICO_SECRET"))
    path = "/api/v1/files"
    # Names in alphabetical order and values encoded as they are signed: nothing is left to make canonical.
    query = f"fileCategory={category}&filename={urllib.parse.quote(os.path.basename(file), safe='~')}"
    timestamp, nonce = str(int(time.time())), str(uuid.uuid4())
    content_hash = hash_of(file)  # signed, so that the bytes can be sent as they are read
    text = "\n".join(["PORTICO1-HMAC-SHA256", "POST", path, query, timestamp, nonce, key_id, content_hash])
    headers = {
        "X-Api-Key": key_id,
        "X-Signature": hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest(),
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Content-Sha256": content_hash,
        "Idempotency-Key": content_hash,
        "Content-Type": "application/octet-stream",
        "Content-Length": str(os.path.getsize(file)),
    }
    with open(file, "rb") as stream:
        request = urllib.request.Request(f"{base}{path}?{query}", data=stream, headers=headers, method="POST")
        with urllib.request.urlopen(request) as response:
            return response.read().decode()


try:
    print(upload(*sys.argv[1:3]))
except urllib.error.HTTPError as error:
    answer = json.load(error)
    sys.exit(f"{answer['code']}: {answer['message']}")

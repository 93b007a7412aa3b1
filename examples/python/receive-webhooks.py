"""Receives webhooks at /webhooks. WEBHOOK_SECRET is the endpoint's secret, or several separated by spaces."""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 5 * 60
MOST_BYTES = 1024 * 1024


def key_of(secret):
    """The bytes that a secret stands for: base64 behind its prefix."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    return key if len(key) >= 24 else sys.exit("WEBHOOK_SECRET is not whole; copy it from the endpoint.")


KEYS = [key_of(secret) for secret in os.environ["WEBHOOK_SECRET"].split() or [""]]


def verify(body, headers):
    """Returns the event of a delivery, or raises ValueError. `body` is the bytes as they came."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise ValueError("webhook-timestamp is not a time")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("webhook-timestamp is more than 5 minutes off")
    content = f"{webhook_id}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in KEYS]
    # While a secret is rotated, the header has a signature by the old and by the new one.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise ValueError("no signature in webhook-signature is right")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Of the raw bytes: parsed and written again they would have another signature.
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), MOST_BYTES))
        try:
            event = verify(body, self.headers)
        except ValueError as error:
            self.send_error(400, str(error))
            return
        # An event may come more than once: keep each webhook-id under a unique key, in the transaction
        # of your own change, and pass over those that are there. Slow work comes after the answer.
        print(self.headers["webhook-id"], event["type"], event["data"]["id"], flush=True)
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4242))), Receiver).serve_forever()

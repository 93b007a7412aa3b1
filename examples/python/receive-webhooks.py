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
MAX_BYTES = 1024 * 1024


def key_of(secret):
    """Decodes a secret: base64 after its prefix."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    return key if len(key) >= 24 else sys.exit("WEBHOOK_SECRET is incomplete; copy it from the endpoint.")


KEYS = [key_of(secret) for secret in os.environ["WEBHOOK_SECRET"].split() or [""]]


def verify(body, headers):
    """Returns the event of a delivery, or raises ValueError. `body` is the raw bytes."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise ValueError("webhook-timestamp is invalid")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("webhook-timestamp is more than 5 minutes off")
    content = f"{webhook_id}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in KEYS]
    # During a rotation, the header has signatures with the old and the new secret.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise ValueError("no signature in webhook-signature matches")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Over the raw bytes: parsed and serialized again they would have another signature.
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), MAX_BYTES))
        try:
            event = verify(body, self.headers)
        except ValueError as error:
            self.send_error(400, str(error))
            return
        # An event may arrive more than once: store each webhook-id under a unique key, in the transaction
        # of your own change, and skip known ones. Do slow work after responding.
        print(self.headers["webhook-id"], event["type"], event["data"]["id"], flush=True)
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4242))), Receiver).serve_forever()

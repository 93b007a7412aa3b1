"""Records an affiliate's commission, starting with the campaign, and lists all commissions."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

API = os.environ["FINDERSFEE_URL"].rstrip("/") + "/v1"
HEADERS = {"Authorization": f"Bearer {os.environ['FINDERSFEE_API_KEY']}", "Content-Type": "application/json"}


class FindersfeeError(Exception):
    """An error from the service: `code` is for programs, the message for people, the request id for support."""

    def __init__(self, error):
        issues = "".join(f"\n  {issue['path']}: {issue['message']}" for issue in error.get("issues", []))
        super().__init__(f"{error['code']}: {error['message']} ({error['request_id']}){issues}")
        self.code = error["code"]
        self.details = error.get("details", {})


def call(method, path, body=None, idempotency_key=None):
    """Returns the response, or raises FindersfeeError, or OSError without a response."""
    headers = HEADERS if idempotency_key is None else {**HEADERS, "Idempotency-Key": idempotency_key}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        text = error.read()
    try:
        answer = json.loads(text, parse_float=Decimal)  # amounts are money, and stay exact
    except ValueError:
        raise OSError(f"{API} did not return JSON; check FINDERSFEE_URL.") from None
    if not answer["success"]:
        raise FindersfeeError(answer["error"])
    return answer


def create(path, body, idempotency_key):
    """Repeating the request with the same key, as after a lost response, creates nothing twice."""
    return call("POST", path, body, idempotency_key)["data"]


def every(path):
    """Yields all rows of a list, page by page."""
    cursor = ""
    while cursor is not None:
        page = call("GET", path + "?" + urllib.parse.urlencode({"limit": 100, "cursor": cursor}))
        yield from page["data"]
        cursor = page["pagination"]["next_cursor"]


def main():
    campaign = create(
        "/campaigns",
        {
            "name": "Quick start",
            "commission_type": "percentage",
            "commission_amount": 30,
            "website_url": "https://example.com",
        },
        idempotency_key="quick-start-campaign",
    )
    affiliate = create(
        "/affiliates",
        {"email": "kim@example.com", "first_name": "Kim", "last_name": "Poe", "campaign_id": campaign["id"]},
        idempotency_key="quick-start-affiliate",
    )
    print(f"{affiliate['email']} shares {affiliate['links'][0]['url']}")
    referral = create(
        "/referrals",
        {"affiliate_id": affiliate["id"], "email": "buyer@example.com"},
        idempotency_key="quick-start-referral",
    )
    create(
        "/commissions",
        {
            "referral_id": referral["id"],
            "revenue_amount": 100,
            "commission_amount": 30,
            "processor_payment_id": "order-1001",
        },
        idempotency_key="order-1001",
    )
    for commission in every("/commissions"):
        print(commission["processor_payment_id"], commission["commission_amount"], commission["currency"])


try:
    main()
except (FindersfeeError, OSError) as error:
    sys.exit(str(error))

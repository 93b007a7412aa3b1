"""Reports a conversion of a customer, such as a booked demo: report-conversion.py KIND EMAIL"""

import json
import os
import sys
import urllib.request


def report_conversion(kind, email):
    # The same event has the same key, so a retry is safe. Later, a repetition returns the first report.
    headers = {
        "Authorization": f"Bearer {os.environ['FINDERSFEE_API_KEY']}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"{kind}-{email}",
    }
    url = os.environ["FINDERSFEE_URL"].rstrip("/") + "/v1/conversions"
    body = json.dumps({"kind": kind, "email": email}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=30) as response:
        return json.load(response)["data"]


kind, email = sys.argv[1:]
print(report_conversion(kind, email)["outcome"])  # commission, or why it earns nothing

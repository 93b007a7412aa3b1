#!/usr/bin/env bash
# Reports a conversion of a customer, such as a booked demo: report-conversion.sh KIND EMAIL
set -euo pipefail
kind=$1 email=$2

# The same event has the same key, so a retry is safe. Later, a repetition returns the first report.
curl --silent --show-error --fail-with-body --max-time 30 "${FINDERSFEE_URL%/}/v1/conversions" \
  --header "Authorization: Bearer $FINDERSFEE_API_KEY" --header "Content-Type: application/json" \
  --header "Idempotency-Key: $kind-$email" --data '{"kind": "'"$kind"'", "email": "'"$email"'"}'

#!/usr/bin/env bash
# Verifies one delivery by hand: verify-webhook.sh BODY_FILE WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE
# WEBHOOK_SECRET is the endpoint's secret, or several separated by spaces. (For a server, compare in constant
# time, as the programs in the other languages do; a shell cannot.)
set -euo pipefail
body_file=$1 id=$2 timestamp=$3 given=$4

fail() { echo "$1" >&2; exit 1; }

[[ $timestamp =~ ^[1-9][0-9]{0,11}$ ]] || fail "webhook-timestamp is invalid"
age=$(($(date +%s) - timestamp))
((age <= 300 && age >= -300)) || fail "webhook-timestamp is more than 5 minutes off"

for secret in $WEBHOOK_SECRET; do
  key=$(base64 --decode <<< "${secret#whsec_}" | od -An -v -tx1 | tr -d ' \n')
  # Over the raw bytes: parsed and serialized again they would have another signature.
  signature=$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body_file"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
  # During a rotation, the header has signatures with the old and the new secret.
  for one in $given; do
    if [[ $one == "v1,$signature" ]]; then echo "$id is genuine"; exit 0; fi
  done
done
fail "no signature in webhook-signature matches"

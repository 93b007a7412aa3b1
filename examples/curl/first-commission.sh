#!/usr/bin/env bash
# Records an affiliate's commission, starting with the campaign, and prints all commissions.
set -euo pipefail

# call METHOD PATH [options of curl]: prints the response. An error goes to stderr, with its code, message and
# request_id, and ends the script.
call() {
  local answer
  answer=$(curl --silent --show-error --max-time 30 --request "$1" "${FINDERSFEE_URL%/}/v1$2" \
    --header "Authorization: Bearer $FINDERSFEE_API_KEY" "${@:3}") || exit 1
  if [[ $answer != '{"success":true,'* ]]; then echo "$answer" >&2; exit 1; fi
  echo "$answer"
}

# create PATH KEY BODY: prints the new id. Repeating it with the same key creates nothing twice.
create() {
  local answer
  answer=$(call POST "$1" --header "Idempotency-Key: $2" --header "Content-Type: application/json" --data "$3") || exit 1
  answer=${answer#*'"data":{"id":"'} # or, with jq: jq --raw-output .data.id
  echo "${answer%%'"'*}"
}

campaign=$(create /campaigns quick-start-campaign '{
  "name": "Quick start", "commission_type": "percentage", "commission_amount": 30,
  "website_url": "https://example.com" }')
affiliate=$(create /affiliates quick-start-affiliate '{
  "email": "kim@example.com", "first_name": "Kim", "last_name": "Poe", "campaign_id": "'"$campaign"'" }')
referral=$(create /referrals quick-start-referral '{
  "affiliate_id": "'"$affiliate"'", "email": "buyer@example.com" }')
create /commissions order-1001 '{
  "referral_id": "'"$referral"'", "revenue_amount": 100, "commission_amount": 30,
  "processor_payment_id": "order-1001" }' > /dev/null

# One page per line, until a page has no next_cursor. The first page's cursor is empty.
cursor=
while true; do
  page=$(call GET "/commissions?limit=100&cursor=$cursor")
  echo "$page"
  [[ $page =~ \"next_cursor\":\"([^\"]+)\" ]] || break
  cursor=${BASH_REMATCH[1]}
done

/** What the reference says before its operations. */
export const introduction = `
Findersfee runs an organization's affiliate program: campaigns, affiliates, referrals, commissions, payouts, and signed webhooks.

**Requests.** Send JSON in UTF-8 with \`Content-Type: application/json\`, at most 256 KiB, and an API key as \`Authorization: Bearer <API key>\`. Fields and query parameters that the service does not know are refused, never ignored. In a PUT, fields that are left out stay as they are, and null clears a field that may be null. A PUT also takes back the whole object that a GET answered with: read-only fields must then have their current values. One answer lists all issues of a request.

**Answers.** A success is 200 with \`{"success": true, "data": …}\`. Anything else is \`{"success": false, "error": {"code", "message", "issues"?, "details"?, "request_id"}}\`: \`code\` is for programs and stays, \`message\` is for people and may change. Answers may gain fields, so a client should pass over those that it does not know. A path that does not exist is \`not_found\`, as is another organization's id; a method that a path does not have is 405 \`method_not_allowed\` with the header \`Allow\`.

**Values.** Ids are UUIDs. Times are ISO 8601 in UTC, with milliseconds; requests may use any offset. Amounts are numbers in major units of their currency (20 is $20.00), with no more decimals than the currency has: 0 for JPY, 2 for USD, 3 for KWD. What a percentage yields is rounded half away from zero.

**Lists.** Newest first, but for events. \`page\` counts from 1 and \`limit\` is at most 100. With \`cursor\` instead of \`page\` (empty for the first page, then the \`next_cursor\` of the page before) nothing is counted, and deep pages cost what the first one does. Events have no \`page\`, and \`after\` for \`cursor\`; either name will do.

**Sending again.** A POST may carry an \`Idempotency-Key\`: for 24 hours the same key with the same body gets the stored answer, with \`Idempotency-Replayed: true\`.

**Limits.** Each API key has a number of requests per minute; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where it stands. Beyond it the answer is 429 with \`Retry-After\`.

**Webhooks.** Each event is sent to the organization's endpoints that chose its type: a POST of \`{"type", "data"}\`, signed. Verify every delivery before trusting it. The key is the endpoint's secret without its prefix \`whsec_\`, base64-decoded. Compute HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<raw body>\`, with the body's bytes exactly as they came, and base64-encode it. Compare that in constant time with each signature in \`webhook-signature\` that begins with \`v1,\`: one must be equal. Refuse a \`webhook-timestamp\` that is more than 5 minutes off. Then answer any 2xx within 15 seconds, and do slow work afterwards; anything else is sent again, eight times in all within some 28 hours. An event may come more than once, and out of order: deduplicate by \`webhook-id\`.

The same operations are served as typed tRPC procedures at \`/v1/trpc\`.
`.trim();

export const keyDescription =
  "A secret API key, `ff_sk_…`. It has the scopes `read`, `write`, or both. A missing, malformed, unknown, expired or revoked key gets one and the same answer.";

/** The groups of operations, in the order of the reference. */
export const tags = [
  {
    name: "Campaigns",
    description:
      "A campaign defines how commission is computed, and how its affiliates refer customers: by link, by promo code, or both.",
  },
  {
    name: "Affiliates",
    description: "Affiliates belong to a campaign, and refer customers with their links and promo codes.",
  },
  { name: "Referrals", description: "Referrals are the customers that affiliates referred." },
  {
    name: "Commissions",
    description:
      "Commissions are what an affiliate earns on a referral's payments. Those from a payment processor are made by the service itself; others are made here.",
  },
  { name: "Payouts", description: "Payouts are payments of commissions to affiliates." },
  {
    name: "Events",
    description: "What happened: sent to webhook endpoints as it happens, and kept to be read again.",
  },
];

/** The reference's introduction. */
export const introduction = `
Findersfee runs an organization's affiliate program: campaigns, affiliates, referrals, commissions, payouts, and signed webhooks.

**Requests.** Send JSON in UTF-8 with \`Content-Type: application/json\`, at most 256 KiB, and an API key as \`Authorization: Bearer <API key>\`. Unknown fields and query parameters are rejected, never ignored. In a PUT, omitted fields keep their values, and null clears a nullable field. A PUT also accepts the whole object that a GET returned: read-only fields must then have their current values. One response lists all issues of a request.

**Responses.** A success is 200 with \`{"success": true, "data": …}\`. An error is \`{"success": false, "error": {"code", "message", "issues"?, "details"?, "request_id"}}\`: \`code\` is for programs and stable, \`message\` is for people and may change. Responses may gain fields, so clients should ignore unknown ones. An unknown path is \`not_found\`, as is another organization's id; an unsupported method is 405 \`method_not_allowed\` with the header \`Allow\`. At a host name that is none of the service's, every request gets 421 \`misdirected_request\`.

**Values.** Ids are UUIDs. Times are ISO 8601 in UTC, with milliseconds; requests may use any offset. Amounts are numbers in major units of their currency (20 is $20.00), with no more decimals than the currency has: 0 for JPY, 2 for USD, 3 for KWD. What a percentage yields is rounded half away from zero.

**Lists.** Newest first, except for events. \`page\` counts from 1 and \`limit\` is at most 100. With \`cursor\` instead of \`page\` (empty for the first page, then the \`next_cursor\` of the previous page), rows are not counted, and deep pages cost as much as the first. Events have no \`page\`, and call the cursor \`after\`; \`cursor\` works as well. The audit log answers in lines of JSON, oldest first; each has its \`cursor\`.

**Idempotency.** A POST may carry an \`Idempotency-Key\`: for 24 hours, the same key with the same body gets the stored response, with \`Idempotency-Replayed: true\`.

**Limits.** Each API key has a limit of requests per minute; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report its state. Over the limit, the response is 429 with \`Retry-After\`.

**Webhooks.** Each event is sent to the organization's endpoints that subscribe to its type: a POST of \`{"type", "data"}\`, signed. Verify every delivery before trusting it. The key is the endpoint's secret without its prefix \`whsec_\`, base64-decoded. Compute HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<raw body>\`, over the exact bytes of the body, and base64-encode it. Compare the result in constant time with each signature in \`webhook-signature\` that begins with \`v1,\`: one must match. Reject a \`webhook-timestamp\` that is more than 5 minutes off. Then respond with any 2xx within 15 seconds, and do slow work afterwards. Any other response is retried, for eight attempts in all within about 28 hours. An event may arrive more than once, and out of order: deduplicate by \`webhook-id\`.

The same operations are served as typed tRPC procedures at \`/v1/trpc\`.
`.trim();

export const keyDescription =
  "A secret API key, `ff_sk_…`. It has the scopes `read`, `write`, or both; for the audit log, `audit`. A missing, malformed, unknown, expired or revoked key gets the same response.";

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
  {
    name: "Affiliate rules",
    description: "Commission rules of affiliates' own, which precede those of their campaigns.",
  },
  {
    name: "Affiliate tiers",
    description:
      "The tiers that affiliates reach in their campaign by their customers, revenue or commissions.",
  },
  { name: "Referrals", description: "Referrals are the customers that affiliates referred." },
  {
    name: "Commissions",
    description:
      "Commissions are an affiliate's earnings on a referral's payments. The service creates commissions for payments from a payment processor; create others here.",
  },
  {
    name: "Conversions",
    description:
      "Conversions are events of referred customers other than payments that your backend reports, such as a booked demo. Campaigns pay fixed commissions for them.",
  },
  {
    name: "Leads",
    description:
      "Leads are events of referrals other than payments that can earn a fixed commission: sign-ups, trials and conversions.",
  },
  {
    name: "Discounts",
    description:
      "A discount by link is the affiliate's promo code that applies to visitors of the affiliate's link without being typed. Your backend adds it to the checkout.",
  },
  {
    name: "Adjustments",
    description:
      "Adjustments change an affiliate's balance without a customer: a bonus, a correction, or the clawback of a paid commission.",
  },
  {
    name: "Overrides",
    description:
      "Overrides are people's decisions about customers in place of attribution: a move to another affiliate, a credit for a payment, or a stop. Each can be tried in a dry run, and undone.",
  },
  {
    name: "Backtests",
    description:
      "Backtests decide past payments again by a draft of a campaign or of own rules, and change nothing: they show the cost of the draft, and the affiliates that would have earned less.",
  },
  { name: "Payouts", description: "Payouts are payments of commissions to affiliates." },
  {
    name: "Analytics",
    description:
      "The results of affiliates, links, pages and countries, by day, as the dashboard shows them.",
  },
  {
    name: "Events",
    description: "Events are sent to webhook endpoints as they occur, and can be read again here.",
  },
  {
    name: "Portal tokens",
    description: "Portal tokens open the portal of one affiliate in a frame of your own product.",
  },
  {
    name: "Audit log",
    description: "The audit log is a feed of all changes, with the security events of members.",
  },
];

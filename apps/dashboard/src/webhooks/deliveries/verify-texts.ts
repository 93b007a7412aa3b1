import type { Problem, StepName } from "./signature.ts";

export const texts = {
  hint: "Find out why your receiver rejects a signature. Everything is computed in this browser; nothing is sent.",
  attempt: "Attempt",
  signed_text: "Signed text: ID, timestamp and body, joined by dots",
  secret: "Secret your receiver uses",
  signature: "Received webhook-signature",
  body: "Body your receiver checked",
  timestamp: "Received webhook-timestamp",
  id: "Received webhook-id",
  more: "More received headers",
  check: "Check",
  expected: "Signature with this secret",
  insecure: "Browsers compute signatures only on https pages.",
  steps: {
    secret: "The secret is well formed",
    id: "The ID is the same",
    timestamp: "The timestamp is the same",
    body: "The body is the same",
    signature: "The signature matches",
  } satisfies Record<StepName, string>,
  unknown: "not given",
  problems: {
    not_a_secret: "It must start with whsec_. Copy it from the endpoint’s settings.",
    not_base64: "After whsec_ it must be base64. A character is missing or was added.",
    other_id: "The receiver saw another ID. Use the header webhook-id unchanged.",
    other_timestamp:
      "The receiver saw another timestamp. Each attempt has its own; choose the attempt above.",
    other_body: "The receiver saw another body. Something in between changed it.",
    same_json:
      "It is the same JSON in other bytes. Check the raw body before it is parsed, not a body that was written again.",
    other_secret: "This attempt was signed with another secret than the one above.",
    no_version: "The header has no signature of version 1: it must contain v1,…",
  } satisfies Record<Problem, string>,
};

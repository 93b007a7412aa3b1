import { z } from "zod";

/** The headers of every webhook delivery (docs/webhooks.md). */
export const webhookHeadersSchema = z.object({
  "webhook-id": z.string().meta({
    description: "Identifies the event; the same on every attempt. Deduplicate by it.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  "webhook-timestamp": z.string().meta({
    description: "Unix time in seconds of this attempt.",
    example: "1763631000",
  }),
  "webhook-signature": z.string().meta({
    description:
      "One or more signatures separated by spaces, each `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret (without its prefix `whsec_`).",
    example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  }),
});

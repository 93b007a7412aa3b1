import { z } from "zod";
import { emailInput, idInput, name, sharedCodeInput, text, timestamp, wholeNumber } from "../fields.ts";

/** The maximum stored length of a page's address, in characters; longer ones are truncated. */
const MAX_ADDRESS_LENGTH = 500;

/** Truncates a page's address to its stored length. */
export function cutAddress(address: string): string {
  return address.slice(0, MAX_ADDRESS_LENGTH).toWellFormed();
}

/** At most the length that a request may have. */
const address = text(8_192).transform(cutAddress);

const key = text(100).meta({
  description: "The organization's publishable key.",
  example: "ff_pk_2V1mGkY8Qh4cWnT0sRz7bLxJ5dPaE9uFo3iXyKvMwBt",
});

const code = sharedCodeInput.meta({
  description: "The code of an affiliate's link, in any case. Characters around it are ignored.",
  example: "jane",
});

/** Other values are ignored, so that a click never fails because of its sub-id. */
// biome-ignore lint/plugin/swallowed-failure: a click never fails because of its sub-id
const subId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .optional()
  .catch(undefined)
  .meta({
    description:
      "The affiliate's own name for the place of the link, by which the portal sums up its results: letters, digits, dots, dashes and underscores. Other values are ignored.",
    example: "newsletter",
  });

const clickId = idInput.meta({ description: "The click's id." });

/** The body of `POST /track/click`. */
export const trackClickInput = z
  .strictObject({
    key,
    code: code.optional().meta({
      description:
        "The code of an affiliate's link, in any case. Characters around it are ignored. Omitted: the click `click_id`, which the visitor's browser brought from another domain of the organization.",
    }),
    url: address
      .optional()
      .meta({ description: "The landing page.", example: "https://example.com/pricing" }),
    referrer: address
      .optional()
      .meta({ description: "The referring page.", example: "https://blog.example/" }),
    sub: subId,
    click_id: text(100).optional().meta({
      description:
        "A click that `GET /r/{code}` already recorded, to avoid counting it twice. Other values are ignored, unless `code` is omitted.",
      example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    previous_click_id: text(100).optional().meta({
      description:
        "The click id stored in the browser. For the same link within the same hour, the response returns that click and nothing is recorded. In campaigns with first-click attribution, the response returns it as long as it counts.",
      example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
  })
  .refine(({ code, click_id }) => code !== undefined || click_id !== undefined, {
    path: ["code"],
    message: "Send the code of the affiliate's link.",
    // One answer lists this with the issues of other fields.
    when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value),
  });

export type TrackClick = z.infer<typeof trackClickInput>;

/** Why a click does not count. */
const uncountedReasons = ["bot", "prefetch", "not_approved", "without_links", "unknown_click"] as const;

/** The response of `POST /track/click`; a click that does not count has a reason instead of an id. */
export const trackedClickSchema = z.object({
  click_id: z.string().nullable().meta({
    description: "Identifies the click, for the checkout's `client_reference_id`.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  expires_at: timestamp.nullable().meta({ description: "When the click expires." }),
  cookie_duration: wholeNumber(1, 365)
    .nullable()
    .meta({ description: "Days from now until the click expires.", example: 30 }),
  reason: z.enum(uncountedReasons).nullable().meta({
    description:
      "Why the click does not count; null if it counts. `bot`: a crawler, a link preview or another program. `prefetch`: the browser fetched the page ahead of a visit. `not_approved`: the affiliate is not approved, or no longer. `without_links`: the campaign has promo codes only. `unknown_click`: without `code`, no valid click has the id.",
    example: null,
  }),
  cookie: z.boolean().meta({
    description:
      "Whether this response sets the cookie of the click, because the page and the address are of one site. Otherwise the script sets it.",
    example: false,
  }),
});

export type TrackedClick = z.infer<typeof trackedClickSchema>;

/** A click, before the response is known. */
export type ReportedClick = Omit<TrackedClick, "cookie">;

/** The body of `POST /track/discount`. */
export const trackDiscountInput = z.strictObject({
  key,
  // As stored in the browser: another value is an unknown click.
  click_id: text(100).meta({
    description: "The click id stored in the browser.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
});

/** The body of `POST /track/signup`. */
export const trackSignupInput = z.strictObject({
  key: key.meta({ description: "The organization's publishable key; from a backend, a secret key." }),
  click_id: clickId,
  email: emailInput.meta({
    description: "The email of the person who signed up.",
    example: "customer@example.com",
  }),
  processor_customer_id: name(255).optional().meta({
    description:
      "Customer ID at the payment processor. Used with a secret key. Ignored with a publishable key, since any visitor could send another person's customer id.",
    example: "cus_QX1",
  }),
  signature: text(100).optional().meta({
    description:
      "Computed by the organization's backend: `<expires>.<hex>`, the HMAC-SHA256 of `<expires>.<click_id>.<email>`.",
  }),
});

export type TrackSignup = z.infer<typeof trackSignupInput>;

/** The response of `POST /track/signup`, regardless of the outcome. */
const trackedSignupSchema = z.object({
  accepted: z.literal(true).meta({ description: "Always true, even if nothing was recorded." }),
});

export type TrackedSignup = z.infer<typeof trackedSignupSchema>;

/** The input of `GET /r/{code}` from a redirect link. The key alone identifies the organization. */
export const followLinkInput = z.object({ key, sub: subId });

export type FollowLink = z.infer<typeof followLinkInput>;

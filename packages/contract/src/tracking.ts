import { z } from "zod";
import { codeInput, emailInput, idInput, name, text, timestamp, wholeNumber } from "./fields.ts";

/** Of a page's address, so many characters are stored; the rest is cut off. */
export const LONGEST_ADDRESS = 500;

/** The part of a page's address that is stored. */
export function cutAddress(address: string): string {
  return address.slice(0, LONGEST_ADDRESS).toWellFormed();
}

/** No longer than a request may be. */
const address = text(8_192).transform(cutAddress);

const key = text(100).meta({
  description: "The organization's publishable key.",
  example: "ff_pk_2V1mGkY8Qh4cWnT0sRz7bLxJ5dPaE9uFo3iXyKvMwBt",
});

const code = codeInput.meta({
  description: "The code of an affiliate's link, in any case.",
  example: "jane",
});

const clickId = idInput.meta({ description: "The click's id." });

/** The body of `POST /track/click`. */
export const trackClickInput = z.strictObject({
  key,
  code,
  url: address
    .optional()
    .meta({ description: "The page that was landed on.", example: "https://example.com/pricing" }),
  referrer: address
    .optional()
    .meta({ description: "The page that led there.", example: "https://blog.example/" }),
  click_id: text(100).optional().meta({
    description:
      "A click that `GET /r/{code}` has recorded already: it is not counted once more. What is none is ignored.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  previous_click_id: text(100).optional().meta({
    description:
      "The click that the browser keeps from before. On the same link in the same hour the answer is that one, and nothing is written. Where the campaign attributes to the first click, the answer is that one as long as it counts.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
});

export type TrackClick = z.infer<typeof trackClickInput>;

/** What `POST /track/click` answers; all of it null for a click that does not count. */
export const trackedClickSchema = z.object({
  click_id: z.string().nullable().meta({
    description: "Identifies the click, for the checkout's `client_reference_id`.",
    example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  expires_at: timestamp.nullable().meta({ description: "Until when the click counts." }),
  cookie_duration: wholeNumber(1, 365)
    .nullable()
    .meta({ description: "Days that the click counts from now on.", example: 30 }),
});

export type TrackedClick = z.infer<typeof trackedClickSchema>;

/** The body of `POST /track/signup`. */
export const trackSignupInput = z.strictObject({
  key: key.meta({ description: "The organization's publishable key; from a backend, a secret key." }),
  click_id: clickId,
  email: emailInput.meta({ description: "Whoever signed up.", example: "customer@example.com" }),
  processor_customer_id: name(255).optional().meta({
    description:
      "Customer ID at the payment processor. Counts with a secret key; ignored with a publishable key, with which anyone could name another person's customer.",
    example: "cus_QX1",
  }),
  signature: text(100).optional().meta({
    description:
      "Made by the organization's backend: `<expires>.<hex>`, the HMAC-SHA256 of `<expires>.<click_id>.<email>`.",
  }),
});

export type TrackSignup = z.infer<typeof trackSignupInput>;

/** What `POST /track/signup` answers, whatever came of it. */
export const trackedSignupSchema = z.object({
  accepted: z.literal(true).meta({ description: "True, also when there was nothing to do." }),
});

export type TrackedSignup = z.infer<typeof trackedSignupSchema>;

/** What `GET /r/{code}` needs; other query parameters, which others append to links, do not matter. */
export const followLinkInput = z.object({ key, code });

export type FollowLink = z.infer<typeof followLinkInput>;

import { isClickId } from "@findersfee/contract/attribution/click-ids";
import {
  type BillingInterval,
  billingIntervals,
  MAX_METADATA_VALUE,
} from "@findersfee/contract/campaigns/rules";
import { currencyDecimals, isCurrency } from "@findersfee/contract/currencies";
import { must, text } from "@findersfee/contract/fields";
import { z } from "zod";
import type { PaymentFact, UsedPromoCode } from "../../attribution/facts/payment-fact.ts";
import { divideRounded } from "../../money.ts";
import { refuse } from "../unsupported.ts";

/*
 * Fields of Stripe's objects that are used. Each schema names only these; other fields, and the API version, do not
 * matter.
 */

/** An optional field: read if valid; a missing or invalid value is ignored. */
export const anything = z.unknown().optional();

/** Stripe promises at most 255 characters. */
export const id = text(255).min(1);

/** An object's id, whether the object is expanded or not. */
export const reference = z.union(
  [id, z.object({ id }).transform((object) => object.id)],
  must("Must be an id, or an object with an id."),
);

export const optionalReference = reference.nullish().transform((value) => value ?? null);

/** In Stripe's smallest unit of its currency, which `minorUnits` converts. */
export const amount = z.int();

export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, must("Must be a currency code of three letters."))
  .transform((code) => code.toUpperCase());

const LATEST_SECONDS = Date.parse("9999-12-31T23:59:59Z") / 1000;

/** Seconds since 1970. */
export const time = z
  .int()
  .min(0)
  .max(LATEST_SECONDS)
  .transform((seconds) => new Date(seconds * 1000));

/** Without white space around it; null if missing. */
export const email = text(512)
  .nullish()
  .transform((value) => value?.trim() || null);

/** The country of an address; nothing if it has none. Nothing else of an address is read. */
export function countryOf(address: unknown): { country?: string } {
  if (typeof address !== "object" || address === null || !("country" in address)) return {};
  const { country } = address;
  return typeof country === "string" && /^[A-Z]{2}$/.test(country) ? { country } : {};
}

const paidByCard = z.object({ card: z.object({ fingerprint: id }) });

/** The fingerprint of the card in a charge's `payment_method_details`; nothing if it was no card. */
export function cardOf(payment_method_details: unknown): { card?: string } {
  const paid = paidByCard.safeParse(payment_method_details).data;
  return paid === undefined ? {} : { card: paid.card.fingerprint };
}

/** An id, or an expanded promotion code. */
const promotionCode = z.union(
  [
    id.transform((external_id): UsedPromoCode => ({ external_id, code: null })),
    z
      .object({ id, code: text(500).nullish() })
      .transform((object): UsedPromoCode => ({ external_id: object.id, code: object.code ?? null })),
  ],
  must("Must be a promotion code's id, or a promotion code."),
);

/** The discounted amount with its promotion code; without one: null. */
export const discount = z
  .object({ promotion_code: promotionCode.nullish() })
  .transform(({ promotion_code }) => promotion_code ?? null);

/** A discount that is not expanded does not contain its promotion code. */
export const optionalDiscount = z
  .union([id.transform(() => null), discount], must("Must be a discount's id, or a discount."))
  .nullish()
  .transform((value) => value ?? null);

/** The ids of a list's discounts that are not expanded. */
export const unexpandedDiscounts = z
  .array(z.unknown())
  .nullish()
  .transform((list) => (list ?? []).filter((item) => typeof item === "string"));

/** The promotion codes of several discounts, each once. */
export function promoCodesOf(discounts: readonly (UsedPromoCode | null | undefined)[]): UsedPromoCode[] {
  const used = new Map<string | null, UsedPromoCode>();
  for (const discount of discounts) {
    if (discount && !(used.has(discount.external_id) && discount.code === null))
      used.set(discount.external_id, discount);
  }
  return [...used.values()];
}

/** Metadata keys under which a merchant's backend stores a click id. */
const metadataSchema = z.object({ findersfee_click_id: id });

/** Long enough to recognize a merchant's own id in a decision. */
const MAX_REFERENCE = 64;

/**
 * The click ids of a checkout's reference and of the metadata of some objects, each once. Values that are no click ids
 * are kept, so that the decision names them: under our key they are meant as click ids, and a merchant's own id is no
 * mistake only where the metadata has the click.
 */
export function clickIdsOf({ reference, metadata }: { reference?: unknown; metadata: unknown[] }): string[] {
  const named = metadata.flatMap(
    (object) => metadataSchema.safeParse(object).data?.findersfee_click_id ?? [],
  );
  const own = ownReference(reference);
  const counts = own !== null && (isClickId(own) || named.length === 0);
  const ids = counts ? [own, ...named] : named;
  return [...new Set(ids.map((click_id) => (isClickId(click_id) ? click_id.toLowerCase() : click_id)))];
}

/** A checkout's reference, shortened; null: it has none. */
function ownReference(reference: unknown): string | null {
  if (typeof reference !== "string" || reference.trim() === "") return null;
  const characters = [...reference.trim()];
  const is_long = characters.length > MAX_REFERENCE;
  const short = is_long ? `${characters.slice(0, MAX_REFERENCE - 1).join("")}…` : characters.join("");
  return id.safeParse(short).data ?? null;
}

/**
 * The metadata of a payment, of several objects: the first one that has a key counts. Stripe allows 50 keys
 * of 40 characters and values of 500. Long values and our own keys are left out. Keys that no rule names are
 * not stored.
 */
export function metadataOf(...objects: unknown[]): { metadata?: Record<string, string> } {
  const metadata = new Map<string, string>();
  for (const object of objects) {
    if (typeof object !== "object" || object === null) continue;
    for (const [key, value] of Object.entries(object)) {
      if (typeof value !== "string" || value.length > MAX_METADATA_VALUE || key.startsWith(OWN_KEYS))
        continue;
      if (!metadata.has(key)) metadata.set(key, value);
    }
  }
  return metadata.size === 0 ? {} : { metadata: Object.fromEntries([...metadata].sort()) };
}

/** Metadata keys of this service. */
const OWN_KEYS = "findersfee_";

/** The fields of a price that say how it is billed: https://docs.stripe.com/api/prices/object */
export const billing = { recurring: anything, type: anything };

const recurringSchema = z.object({ interval: z.enum(billingIntervals) });

/** How a price is billed. Nothing if the object does not say so. */
export function intervalOf(price: { recurring?: unknown; type?: unknown } | null | undefined): {
  interval?: BillingInterval;
} {
  const recurring = recurringSchema.safeParse(price?.recurring).data;
  if (recurring !== undefined) return recurring;
  return price?.type === "one_time" ? { interval: "one_time" } : {};
}

/** The ids that are not null, each once. */
export function idsOf(...ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}

/** The path of an event's object, for reasons that name one of its fields. */
export const OBJECT = "data.object";

/** https://docs.stripe.com/api/events/object */
export const eventSchema = z.object({
  type: z.string(),
  created: time,
  // The reader of the type checks it: to copy it costs more than to read it.
  data: z.object({ object: z.unknown() }),
});

/** A Stripe event of a supported type. */
export interface StripeEvent {
  type: string;
  /** When it happened, to the second. */
  at: Date;
  object: unknown;
}

/** The result of parsing an event of one type. */
export type Reader = (event: StripeEvent) => PaymentFact[] | { skipped: string };

/*
 * Stripe's integers are not always ISO 4217's minor units. Stripe documents its currencies at
 * https://docs.stripe.com/currencies, under "Zero-decimal currencies", "Three-decimal currencies" and
 * "Special cases". All other currencies have two decimals.
 *
 *              ISO 4217   Stripe   an amount of 500 is   so 500 becomes
 *   USD, …            2        2                  5.00   500
 *   JPY, …            0        0                   500   500
 *   KWD, …            3        3                 0.500   500   (the last digit is always 0 at Stripe)
 *   MGA               2        0                   500   50000
 *   ISK, UGX          0        2                     5   5     (always whole hundreds: "To charge 5 UGX,
 *                                                               provide an amount value of 500")
 *
 * HUF and TWD, also listed as special cases, have two decimals in charges as in ISO 4217; only payouts of
 * them are of whole units. Stripe lists UGX among the currencies without decimals, too; the special case is
 * the later word, and an amount of it that is no whole hundred is parked instead of taken for a hundredth.
 */

const WITHOUT_DECIMALS = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

const WITH_THREE_DECIMALS = new Set("BHD JOD KWD OMR TND".split(" "));

function stripeDecimals(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** An amount in Stripe's unit, with its currency, and its path in the event. */
export interface StripeAmount {
  amount: number;
  /** ISO 4217, capital letters. */
  currency: string;
  path: string;
}

/** Converts an amount of Stripe to ISO 4217's minor units. Rejects one that cannot be converted exactly. */
export function minorUnits({ amount, currency, path }: StripeAmount): bigint {
  if (!isCurrency(currency)) return refuse(path, `${currency} is no currency of ISO 4217.`);
  const [ours, theirs] = [currencyDecimals(currency), stripeDecimals(currency)];
  // Stripe does not document its unit for the other three-decimal currencies.
  if (ours === 3 && theirs !== 3) return refuse(path, `Stripe does not document its unit of ${currency}.`);
  if (ours >= theirs) return BigInt(amount) * 10n ** BigInt(ours - theirs);
  const divisor = 10n ** BigInt(theirs - ours);
  if (BigInt(amount) % divisor !== 0n) {
    return refuse(path, `${amount} is no whole amount of ${currency}, which Stripe writes in hundredths.`);
  }
  return BigInt(amount) / divisor;
}

/** Amounts in the same currency and unit. */
interface Totals {
  /** The total, with tax. */
  total: number;
  total_excluding_tax: number;
}

/**
 * The part of a paid amount without tax, if tax has the same share as in the total: rounded half away from zero. A
 * payment for a total of zero (only a former debt) has an unknown tax.
 */
export function netAmount(paid_minor: bigint, { total, total_excluding_tax }: Totals): bigint {
  if (total === 0) return paid_minor;
  const sign = total < 0 ? -1n : 1n;
  return divideRounded(sign * paid_minor * BigInt(total_excluding_tax), sign * BigInt(total));
}

import { api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { type SampleCustomer, sampleCustomer } from "@findersfee/samples/stripe/customer";
import { samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { bring } from "./bringing.ts";
import { chargeAlone } from "./charges.ts";
import { Chronicle, type Click, DAY, MINUTE } from "./chronicle.ts";
import { BUYER, emailOf, PARTNERS, promotionCodeOf } from "./partners.ts";
import type { Payer } from "./payer.ts";
import { purchase } from "./purchase.ts";
import { Random } from "./random.ts";
import { Subscription } from "./subscription.ts";

export interface History {
  /** As Stripe tells them, the oldest first; clicks' ids are placeholders. */
  events: StripeObject[];
  /** In the order in which they are made. */
  clicks: Click[];
  /** How much of a payment is gone in the end, by its id, as Stripe writes amounts. */
  taken_back: ReadonlyMap<string, number>;
}

/**
 * What happens seldom:
 * other_emails: customers change their emails, also to those of others.
 * forgotten: a customer's discount or click comes late, or is gone when the customer is told of again.
 * told_codes: promotion codes are told of with all the rest, and not known before.
 * late_emails: a customer's record has no email; a later checkout or invoice brings it.
 */
export const rarities = ["other_emails", "forgotten", "told_codes", "late_emails"] as const;

export type Rarity = (typeof rarities)[number];

/** What a few customers do; the same for the same seed and day. */
export function makeHistory({
  seed,
  customers,
  today,
  happening = [],
}: {
  seed: number;
  customers: number;
  /** A moment of it, Unix seconds. */
  today: number;
  happening?: readonly Rarity[];
}): History {
  const chronicle = new Chronicle(new Random(seed), today);
  const emails: string[] = [];
  if (happening.includes("told_codes")) tellPromotionCodes(chronicle);
  for (let number = 0; number < customers; number++) {
    const email = someEmail(chronicle, { number, emails });
    emails.push(email);
    live(chronicle, { number, email, emails, happening });
  }
  const events = chronicle.events.toSorted((a, b) => a.at - b.at).map(({ event }) => event);
  return { events, clicks: chronicle.clicks, taken_back: chronicle.taken_back };
}

function tellPromotionCodes(chronicle: Chronicle): void {
  const created = chronicle.today - 30 * DAY;
  for (let partner = 0; partner < PARTNERS; partner++) {
    const api_version = chronicle.random.pick([...api_versions]);
    const code = { id: promotionCodeOf(partner), created, code: `CODE${partner}`, coupon: "PARTNERS" };
    const object = samplePromotionCode(api_version, code);
    chronicle.tell("promotion_code.created", object, { at: created, api_version });
  }
}

/** Some are known by several ids of Stripe's; some are affiliates. */
function someEmail(
  { random }: Chronicle,
  { number, emails: [first, ...others] }: { number: number; emails: string[] },
): string {
  const another = first !== undefined && random.chance(0.2) ? random.pick([first, ...others]) : null;
  const own = random.chance(0.05) ? emailOf(BUYER).replace("@", "+shop@") : `buyer${number}@customers.test`;
  return another ?? own;
}

function live(
  chronicle: Chronicle,
  {
    number,
    email,
    emails,
    happening,
  }: { number: number; email: string; emails: string[]; happening: readonly Rarity[] },
): void {
  const { random, today } = chronicle;
  const is_guest = random.chance(0.2);
  const customer = is_guest ? null : `cus_${number}`;
  const payer: Payer = {
    api_version: random.pick([...api_versions]),
    customer,
    email,
    currency: random.pick(["usd", "usd", "usd", "usd", "eur", "jpy", "kwd"]),
    tax: random.pick(["none", "exclusive", "inclusive"]),
  };
  // Never near the moments at which clicks begin and cease to count.
  const born = today + random.between(-3, 40) * DAY + random.between(2 * 60, 20 * 60) * MINUTE;
  const known = customer === null ? null : tellCustomer(chronicle, { payer, customer, happening }, born);
  let at = born;
  for (let times = random.between(1, 3); times > 0; times--) {
    if (customer !== null && random.chance(0.6)) {
      new Subscription(chronicle, { ...payer, customer }, at);
    } else if (random.chance(0.3)) chargeAlone(chronicle, payer, at);
    else {
      purchase(chronicle, payer, at);
    }
    at += random.pick([6 * MINUTE, 3 * DAY, 45 * DAY]);
    if (known === null || !happening.includes("other_emails") || !random.chance(0.3)) continue;
    payer.email = someEmail(chronicle, { number: number + 100, emails });
    const updated = sampleCustomer(payer.api_version, { ...known, email: payer.email });
    chronicle.tell("customer.updated", updated, { at: at - 60, api_version: payer.api_version });
  }
}

/** Merchants may put the click into the customer's metadata, and give the customer a discount. */
function tellCustomer(
  chronicle: Chronicle,
  { payer, customer, happening }: { payer: Payer; customer: string; happening: readonly Rarity[] },
  at: number,
): SampleCustomer {
  const { random } = chronicle;
  const { api_version, email } = payer;
  const is_forgetful = happening.includes("forgotten");
  const nobody = { click: null, discount: null };
  const { click, discount } = random.chance(is_forgetful ? 0.5 : 0.15) ? bring(chronicle, { at }) : nobody;
  const metadata: Record<string, string> = click === null ? {} : { findersfee_click_id: click };
  const is_unknown = happening.includes("late_emails") && random.chance(0.4);
  const base: SampleCustomer = { id: customer, created: at, email: is_unknown ? null : email };
  const brought: SampleCustomer = { ...base, metadata, discount };
  const known_when = is_forgetful ? random.pick(["first", "last", "always"]) : "always";
  const first = known_when === "last" ? base : brought;
  const last = known_when === "first" ? base : brought;
  const tell = (what: string, sample: SampleCustomer, told_at: number) =>
    chronicle.tell(`customer.${what}`, sampleCustomer(api_version, sample), { at: told_at, api_version });
  if (random.chance(0.9)) tell("created", first, at);
  if (random.chance(is_forgetful ? 0.8 : 0.3)) {
    tell("updated", { ...last, name: "Kim" }, at + random.pick([0, 60, 30 * DAY]));
  }
  if (random.chance(0.05)) tell("deleted", last, at + 300 * DAY);
  return last;
}

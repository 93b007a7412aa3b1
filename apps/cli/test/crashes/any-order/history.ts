import { api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { type SampleCustomer, sampleCustomer } from "@findersfee/samples/stripe/customer";
import { samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { attributionSources } from "./attribution-sources.ts";
import { chargeAlone } from "./charges.ts";
import { BUYER, emailOf, PARTNERS, promotionCodeOf } from "./partners.ts";
import type { Payer } from "./payer.ts";
import { purchase } from "./purchase.ts";
import { Random } from "./random.ts";
import { Subscription } from "./subscription.ts";
import { type Click, DAY, MINUTE, Timeline } from "./timeline.ts";

export interface History {
  /** In Stripe's order, oldest first; clicks' ids are placeholders. */
  events: StripeObject[];
  /** In order of creation. */
  clicks: Click[];
  /** The reversed amount of each payment by its id, in Stripe's units. */
  reversed: ReadonlyMap<string, number>;
}

/**
 * Rare circumstances:
 *
 * other_emails: customers change their emails, also to those of others.
 *
 * forgotten: a customer's discount or click is reported late, or missing in a later report.
 *
 * late_codes: promotion codes are reported with the other events, and unknown before.
 *
 * late_emails: a customer's record has no email; a later checkout or invoice adds it.
 */
export const rarities = ["other_emails", "forgotten", "late_codes", "late_emails"] as const;

export type Rarity = (typeof rarities)[number];

/** The actions of a few customers; the same for the same seed and day. */
export function makeHistory({
  seed,
  customers,
  today,
  rarities_in_use = [],
}: {
  seed: number;
  customers: number;
  /** A time within it, in Unix seconds. */
  today: number;
  rarities_in_use?: readonly Rarity[];
}): History {
  const timeline = new Timeline(new Random(seed), today);
  const emails: string[] = [];
  if (rarities_in_use.includes("late_codes")) reportPromotionCodes(timeline);
  for (let number = 0; number < customers; number++) {
    const email = someEmail(timeline, { number, emails });
    emails.push(email);
    live(timeline, { number, email, emails, rarities_in_use });
  }
  const events = timeline.events.toSorted((a, b) => a.at - b.at).map(({ event }) => event);
  return { events, clicks: timeline.clicks, reversed: timeline.reversed };
}

function reportPromotionCodes(timeline: Timeline): void {
  const created = timeline.today - 30 * DAY;
  for (let partner = 0; partner < PARTNERS; partner++) {
    const api_version = timeline.random.pick([...api_versions]);
    const code = { id: promotionCodeOf(partner), created, code: `CODE${partner}`, coupon: "PARTNERS" };
    const object = samplePromotionCode(api_version, code);
    timeline.report("promotion_code.created", object, { at: created, api_version });
  }
}

/** Some have several ids at Stripe; some are affiliates. */
function someEmail(
  { random }: Timeline,
  { number, emails: [first, ...others] }: { number: number; emails: string[] },
): string {
  const another = first !== undefined && random.chance(0.2) ? random.pick([first, ...others]) : null;
  const own = random.chance(0.05) ? emailOf(BUYER).replace("@", "+shop@") : `buyer${number}@customers.test`;
  return another ?? own;
}

function live(
  timeline: Timeline,
  {
    number,
    email,
    emails,
    rarities_in_use,
  }: { number: number; email: string; emails: string[]; rarities_in_use: readonly Rarity[] },
): void {
  const { random, today } = timeline;
  const is_guest = random.chance(0.2);
  const customer = is_guest ? null : `cus_${number}`;
  const payer: Payer = {
    api_version: random.pick([...api_versions]),
    customer,
    email,
    currency: random.pick(["usd", "usd", "usd", "usd", "eur", "jpy", "kwd"]),
    tax: random.pick(["none", "exclusive", "inclusive"]),
  };
  // Never near the start or the expiry of clicks.
  const born = today + random.between(-3, 40) * DAY + random.between(2 * 60, 20 * 60) * MINUTE;
  const known =
    customer === null ? null : reportCustomer(timeline, { payer, customer, rarities_in_use }, born);
  let at = born;
  for (let times = random.between(1, 3); times > 0; times--) {
    if (customer !== null && random.chance(0.6)) {
      new Subscription(timeline, { ...payer, customer }, at);
    } else if (random.chance(0.3)) chargeAlone(timeline, payer, at);
    else {
      purchase(timeline, payer, at);
    }
    at += random.pick([6 * MINUTE, 3 * DAY, 45 * DAY]);
    if (known === null || !rarities_in_use.includes("other_emails") || !random.chance(0.3)) continue;
    payer.email = someEmail(timeline, { number: number + 100, emails });
    const updated = sampleCustomer(payer.api_version, { ...known, email: payer.email });
    timeline.report("customer.updated", updated, { at: at - 60, api_version: payer.api_version });
  }
}

/** Merchants may put the click into the customer's metadata, and give the customer a discount. */
function reportCustomer(
  timeline: Timeline,
  {
    payer,
    customer,
    rarities_in_use,
  }: { payer: Payer; customer: string; rarities_in_use: readonly Rarity[] },
  at: number,
): SampleCustomer {
  const { random } = timeline;
  const { api_version, email } = payer;
  const is_forgetful = rarities_in_use.includes("forgotten");
  const nobody = { click: null, discount: null };
  const { click, discount } = random.chance(is_forgetful ? 0.5 : 0.15)
    ? attributionSources(timeline, { at })
    : nobody;
  const metadata: Record<string, string> = click === null ? {} : { findersfee_click_id: click };
  const is_unknown = rarities_in_use.includes("late_emails") && random.chance(0.4);
  const base: SampleCustomer = { id: customer, created: at, email: is_unknown ? null : email };
  const brought: SampleCustomer = { ...base, metadata, discount };
  const known_when = is_forgetful ? random.pick(["first", "last", "always"]) : "always";
  const first = known_when === "last" ? base : brought;
  const last = known_when === "first" ? base : brought;
  const report = (what: string, sample: SampleCustomer, reported_at: number) =>
    timeline.report(`customer.${what}`, sampleCustomer(api_version, sample), {
      at: reported_at,
      api_version,
    });
  if (random.chance(0.9)) report("created", first, at);
  if (random.chance(is_forgetful ? 0.8 : 0.3)) {
    report("updated", { ...last, name: "Kim" }, at + random.pick([0, 60, 30 * DAY]));
  }
  if (random.chance(0.05)) report("deleted", last, at + 300 * DAY);
  return last;
}

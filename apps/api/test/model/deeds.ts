import fc from "fast-check";
import {
  DAY,
  type Deed,
  type LeadTerms,
  type Rate,
  type RateOfDay,
  type Recruiting,
  type Terms,
  type TierReward,
} from "./history.ts";

/** What deeds name. */
interface Named {
  customer: fc.Arbitrary<number>;
  affiliate: fc.Arbitrary<number>;
  payment: fc.Arbitrary<number>;
  click: fc.Arbitrary<number>;
  rate: fc.Arbitrary<Rate>;
  leads: fc.Arbitrary<readonly LeadTerms[]>;
  rate_entry: fc.Arbitrary<RateOfDay>;
  review: fc.Arbitrary<Pick<Terms, "review" | "review_above">>;
  recruiting: fc.Arbitrary<Recruiting>;
  tiers: fc.Arbitrary<readonly TierReward[]>;
}

/** How many overrides and adjustments a deed may name. */
const OVERRIDES = 3;
const ADJUSTMENTS = 2;

/** What people and programs do in random histories. */
export function deeds(named: Named): fc.Arbitrary<Deed> {
  const { customer, affiliate, click, rate } = named;
  return fc.oneof(
    fc.record({ kind: fc.constant("refer" as const), customer, affiliate }),
    fc.record({ kind: fc.constant("sign_up" as const), customer, click, signed: fc.boolean() }),
    fc.record({ kind: fc.constant("set_rate" as const), campaign: fc.nat({ max: 1 }), rate }),
    fc.record({ kind: fc.constant("set_affiliate" as const), affiliate, banned: fc.boolean() }),
    fc.record({ kind: fc.constant("set_affiliate" as const), affiliate, approved: fc.constant(true) }),
    fc.record({ kind: fc.constant("change_id" as const), customer }),
    { arbitrary: ofCommissions(named), weight: 5 },
    { arbitrary: ofPayouts(named), weight: 5 },
    { arbitrary: overrides(named), weight: 3 },
  );
}

/** What a history has, beside what all of them have. */
const TOPICS = ["leads", "reviews", "currencies", "recruits", "tiers"] as const;
type Topic = (typeof TOPICS)[number];
export const THEMES = ["plain", ...TOPICS, "everything"] as const;
export type Theme = (typeof THEMES)[number];

/** Whether histories of a theme have something. */
export function has(theme: Theme, topic: Topic): boolean {
  return theme === topic || theme === "everything" || (theme === "recruits" && topic === "reviews");
}

/** `MODEL_THEMES=leads,reviews` makes histories of these themes alone. */
export function themesOf(names: string | undefined): readonly Theme[] {
  return THEMES.filter((theme) => names === undefined || names.split(",").includes(theme));
}

/** What happens in histories of a theme alone. */
export function deedsOf(theme: Exclude<Theme, "plain">, named: Named): fc.Arbitrary<Deed> {
  return fc.oneof(...TOPICS.filter((topic) => has(theme, topic)).map((topic) => deedsAbout(topic, named)));
}

const campaign = fc.nat({ max: 1 });

function deedsAbout(topic: Topic, named: Named): fc.Arbitrary<Deed> {
  const { payment, leads, affiliate, customer } = named;
  switch (topic) {
    case "leads":
      return fc.oneof(
        { arbitrary: conversions(named), weight: 6 },
        fc.record({ kind: fc.constant("refer" as const), customer, affiliate }),
        fc.record({ kind: fc.constant("set_leads" as const), campaign, leads }),
        { arbitrary: overrides(named), weight: 2 },
      );
    case "currencies":
      return fc.oneof(
        {
          arbitrary: named.rate_entry.map((entry) => ({ kind: "enter_rate" as const, ...entry })),
          weight: 3,
        },
        fc.record({ kind: fc.constant("set_converts" as const), converts: fc.boolean() }),
        fc.record({ kind: fc.constant("rerun" as const), payment }),
        { arbitrary: overrides(named), weight: 2 },
      );
    case "reviews":
      return reviews(named);
    case "recruits":
      return recruits(named);
    case "tiers":
      return tiers(named);
  }
}

function reviews(named: Named): fc.Arbitrary<Deed> {
  const { payment, review: terms } = named;
  return fc.oneof(
    {
      arbitrary: fc.record({ kind: fc.constantFrom("approve" as const, "reject" as const), payment }),
      weight: 4,
    },
    fc.record({ kind: fc.constant("set_review" as const), campaign, terms }),
    fc.constant({ kind: "run" as const }),
    { arbitrary: overrides(named), weight: 1 },
  );
}

function recruits(named: Named): fc.Arbitrary<Deed> {
  const { payment, affiliate } = named;
  const kind = fc.constantFrom("void_recruits" as const, "restore_recruits" as const);
  return fc.oneof(
    { arbitrary: fc.record({ kind, payment }), weight: 4 },
    fc.record({
      kind: fc.constant("set_recruiting" as const),
      campaign,
      recruiting: fc.option(named.recruiting),
    }),
    fc.record({ kind: fc.constant("set_affiliate" as const), affiliate, banned: fc.boolean() }),
    { arbitrary: ofPayouts(named), weight: 3 },
    { arbitrary: ofCommissions(named), weight: 3 },
    { arbitrary: overrides(named), weight: 3 },
  );
}

function tiers(named: Named): fc.Arbitrary<Deed> {
  const { payment, affiliate } = named;
  return fc.oneof(
    {
      arbitrary: fc.record({
        kind: fc.constant("set_tier" as const),
        affiliate,
        tier: fc.constantFrom(0, 1, 2, null),
        since: fc.constantFrom(-200 * DAY, -20 * DAY, -DAY, DAY, 20 * DAY),
      }),
      weight: 5,
    },
    fc.record({ kind: fc.constant("set_tiers" as const), campaign, tiers: named.tiers }),
    { arbitrary: fc.record({ kind: fc.constant("rerun" as const), payment }), weight: 2 },
    { arbitrary: overrides(named), weight: 2 },
  );
}

/** What people decide about customers, and about what is paid. */
export function decisions(named: Named): fc.Arbitrary<Deed> {
  return fc.oneof(
    { arbitrary: overrides(named), weight: 4 },
    { arbitrary: ofCommissions(named), weight: 1 },
    { arbitrary: ofPayouts(named), weight: 1 },
  );
}

function conversions({ customer, click }: Named): fc.Arbitrary<Deed> {
  return fc.record({
    kind: fc.constant("convert" as const),
    customer,
    name: fc.constantFrom("demo" as const, "call" as const),
    by: fc.constantFrom("email" as const, "id" as const, "click" as const),
    click,
    hours_ago: fc.constantFrom(0, 0, 2),
  });
}

function ofCommissions({ customer, payment }: Named): fc.Arbitrary<Deed> {
  return fc.oneof(
    fc.record({ kind: fc.constant("correct" as const), payment, percent: fc.constantFrom(50, 10, 150) }),
    fc.record({ kind: fc.constant("rerun" as const), payment }),
    fc.record({ kind: fc.constant("void" as const), payment }),
    fc.record({ kind: fc.constant("restore" as const), payment }),
    fc.record({
      kind: fc.constant("keep_voided" as const),
      payment,
      stays: fc.constantFrom(true, true, false),
    }),
    fc.record({
      kind: fc.constant("manual" as const),
      customer,
      payment: fc.option(payment, { freq: 2 }),
      by_other_name: fc.boolean(),
      amount: fc.constantFrom(1000, 777),
      days_ago: fc.constantFrom(0, 20),
    }),
  );
}

function ofPayouts({ affiliate }: Named): fc.Arbitrary<Deed> {
  return fc.oneof(
    fc.record({ kind: fc.constant("set_payouts" as const), hold_days: fc.constantFrom(0, 60) }),
    fc.record({ kind: fc.constant("set_payouts" as const), minimum: fc.constantFrom(2000, 0) }),
    fc.constant({ kind: "run" as const }),
    fc.record({
      kind: fc.constant("move" as const),
      status: fc.constantFrom("paid" as const, "processing" as const, "failed" as const, "canceled" as const),
    }),
    fc.constant({ kind: "return" as const }),
    fc.record({
      kind: fc.constant("adjust" as const),
      affiliate,
      amount: fc.constantFrom(1500, -700, -4000),
      currency: fc.option(fc.constant("EUR"), { freq: 4 }),
    }),
    fc.record({
      kind: fc.constant("set_adjustment" as const),
      adjustment: fc.nat({ max: ADJUSTMENTS - 1 }),
      voided: fc.constantFrom(true, true, false),
    }),
  );
}

function overrides({ customer, affiliate, payment }: Named): fc.Arbitrary<Deed> {
  const override = fc.nat({ max: OVERRIDES - 1 });
  return fc.oneof(
    fc.record({
      kind: fc.constant("move_customer" as const),
      customer,
      affiliate,
      unpaid_commissions: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("credit" as const), payment, affiliate, past_payments: fc.boolean() }),
    fc.record({ kind: fc.constant("stop_customer" as const), customer }),
    fc.record({ kind: fc.constantFrom("undo" as const, "undo" as const, "resume" as const), override }),
  );
}

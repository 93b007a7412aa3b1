/* A backtest decides as a rerun after the campaign was changed, in random histories. */

import type { CreateBacktest } from "@findersfee/contract/attribution/backtests";
import { snapshot } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getAffiliateRules, removeAffiliateRules, setAffiliateRules } from "../../../src/affiliates/rules.ts";
import { netOf, type TriedPayment } from "../../../src/attribution/backtest/decide.ts";
import { type Draft, readDraft } from "../../../src/attribution/backtest/draft.ts";
import { FIRST_CUSTOMER, tryPage } from "../../../src/attribution/backtest/page.ts";
import { resolveDraft } from "../../../src/attribution/backtest/start.ts";
import { rerunPayments } from "../../../src/attribution/rerun.ts";
import { updateCampaign } from "../../../src/campaigns/update.ts";
import type { Context } from "../../../src/context.ts";
import { updateSettings } from "../../../src/organizations/settings/update.ts";
import { onDay } from "../../dates.ts";
import {
  applyInBatches,
  GOLD,
  makeWorld,
  messagesOf,
  SILVER,
  TIERED,
  type World,
} from "../any-order-world.ts";
import { PARTNERS, stories } from "../customer-stories.ts";
import { recorded_acts } from "../recorded-acts.ts";
import { second } from "../reported.ts";
import { fixed, NOTHING, percent, rule } from "../rules.ts";

const RUNS = extent("BACKTESTS", { short: 5, full: 100 });
const LIMIT = { interruptAfterTimeLimit: 100_000 + RUNS * 8_000, markInterruptAsFailure: true };
const MANY_RUNS = 50;
const DAY = 24 * 60 * 60;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database`
    insert into exchange_rates (source, currency, day, revision, rate, fetched_at)
    select 'ecb', 'USD', ${onDay(0)}::date + 5 * number, 1, 1.05 + number / 100.0, now()
    from generate_series(0, 29) as number`;
});

afterAll(() => test.close());

const drafted_rules = fc.uniqueArray(
  fc.constantFrom(
    rule({ payments: { to: 1 } }, percent(55)),
    rule({ payments: { from: 2 }, months: { to: 1 } }, percent(8)),
    rule({ intervals: ["month"] }, fixed({ USD: 3, EUR: 2 })),
    rule({ products: ["prod_a"] }, NOTHING),
    rule({ countries: ["DE", "US"] }, percent(21)),
    rule({ metadata: { key: "plan", values: ["pro"] } }, percent(33)),
    rule({ amount: { currency: "USD", below: 60 } }, NOTHING),
    rule({ tags: ["agency"], payments: { from: 2 } }, percent(17)),
    rule({ tags: ["vip"] }, NOTHING),
    rule({ promo_codes: ["promo_1"] }, percent(13)),
    rule({ tiers: [SILVER, GOLD] }, percent(44)),
  ),
  { maxLength: 3 },
);

const reward = fc.constantFrom(
  { commission_type: "percentage" as const, commission_amount: 25 },
  { commission_type: "percentage" as const, commission_amount: 0.5 },
  { commission_type: "fixed" as const, commission_amount: 12 },
);

const limit = fc.constantFrom(
  { limit_type: "none" as const },
  { limit_type: "payments" as const, limit_amount: 1 },
  { limit_type: "payments" as const, limit_amount: 3 },
  { limit_type: "months" as const, limit_amount: 1 },
);

const first_payment_commission = fc.constantFrom(
  { enabled: false, type: "percentage" as const, amount: 0 },
  { enabled: true, type: "percentage" as const, amount: 70 },
);

/** The changes of a draft; the rest stays. */
const change = fc
  .tuple(
    fc.option(reward, { nil: {} }),
    fc.option(limit, { nil: {} }),
    fc.record(
      {
        first_payment_commission,
        commission_cap: fc.boolean(),
        skip_prorations: fc.boolean(),
        rules: drafted_rules,
        custom_commission_type: fc.constantFrom("none" as const, "product" as const),
        custom_commissions: fc.array(
          fc.constant({ product_id: "prod_b", type: "percentage" as const, amount: 9 }),
          {
            maxLength: 1,
          },
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, other, fields]) => ({ ...one, ...other, ...fields }));

const drafts = fc.record({
  partner: fc.nat({ max: PARTNERS - 1 }),
  change: fc.option(change, { freq: 6 }),
  /** The partner that gets rules of its own. */
  own: fc.option(fc.record({ partner: fc.nat({ max: PARTNERS - 1 }), rules: drafted_rules })),
  /** The days between which payments are tried. */
  from: fc.constantFrom(0, 0, 30, 61),
  until: fc.constantFrom(400, 400, 90),
});

type Drafted = typeof drafts extends fc.Arbitrary<infer One> ? One : never;

/** Only one campaign has the tiers. */
function withValidRules({ partner, change, own, ...rest }: Drafted): Drafted {
  const valid = <Rules extends Drafted["own"] | Drafted["change"]>(of: number, changed: Rules): Rules =>
    changed?.rules === undefined || of === TIERED
      ? changed
      : { ...changed, rules: changed.rules.filter(({ conditions }) => conditions.tiers === undefined) };
  return { partner, change: valid(partner, change), own: own && valid(own.partner, own), ...rest };
}

async function campaignOf({ context: { database }, affiliates }: World, partner: number): Promise<string> {
  const [row] = await database<{ campaign_id: string }[]>`
    select campaign_id from affiliates where id = ${affiliates[partner] ?? ""}`;
  if (row === undefined) throw new Error("no affiliate");
  return row.campaign_id;
}

async function draftOf(world: World, { partner, change, own, from, until }: Drafted): Promise<Draft> {
  const { database, organization } = world.context;
  const campaign = change === null ? undefined : { campaign_id: await campaignOf(world, partner), ...change };
  const affiliate_rules =
    own === null ? [] : [{ affiliate_ids: [world.affiliates[own.partner] ?? ""], rules: own.rules }];
  const input = { campaign, affiliate_rules, months: 12 } as CreateBacktest;
  const { stored } = await resolveDraft(database, organization, input);
  const period = { from: second(from * DAY).toISOString(), until: second(until * DAY).toISOString() };
  return readDraft({ ...stored, ...period }, organization.currency);
}

/** All payments that the draft decides, by payment, in pages of few customers. */
async function tryAll({ context }: World, draft: Draft): Promise<Map<string, TriedPayment>> {
  const { database, organization } = context;
  const tried = new Map<string, TriedPayment>();
  const most = { customers: 2, payments: 4 };
  for (let after: string | null = FIRST_CUSTOMER; after !== null; ) {
    const start: string = after;
    const page = await snapshot(database, (sql) =>
      tryPage(sql, organization, { draft, after: start, most, findTiers: async () => new Map() }),
    );
    for (const payment of page.payments) tried.set(payment.before.payment.subject, payment);
    after = page.next;
  }
  return tried;
}

/** Applies the changes of the draft, and decides the payments of its period again. */
async function changeAndRerun(world: World, { partner, change, own, from, until }: Drafted): Promise<void> {
  const { context } = world;
  if (change !== null) await updateCampaign(context, { id: await campaignOf(world, partner), ...change });
  if (own !== null) await replaceOwnRules(context, world.affiliates[own.partner] ?? "", own.rules);
  const ids = await context.database<{ id: string }[]>`
    select id from payment_decisions
    where organization_id = ${context.organization.id} and replaced_at is null
      and paid_at >= ${second(from * DAY)} and paid_at < ${second(until * DAY)}`;
  await rerunPayments(
    context,
    ids.map(({ id }) => id),
  );
}

async function replaceOwnRules(
  context: Context,
  affiliate_id: string,
  rules: NonNullable<Drafted["own"]>["rules"],
): Promise<void> {
  const { periods } = await getAffiliateRules(context, affiliate_id);
  for (const { starts_at } of periods) await removeAffiliateRules(context, { affiliate_id, starts_at });
  const starts_at = second(0).toISOString();
  await setAffiliateRules(context, { affiliate_ids: [affiliate_id], starts_at, note: null, rules });
}

/**
 * The decisions of all payments, with the rest of their commissions. Payments after the period of a draft may
 * change with those in it; a backtest does not list them.
 */
async function decided({ context: { database, organization } }: World, until = 400) {
  const rows = await database<{ payment_id: string; outcome: string; minor: bigint; net: bigint }[]>`
    select decision.payment_id, decision.outcome, decision.commission_minor as minor, coalesce((
      select sum(commission.commission_minor) from commissions commission
      where commission.organization_id = decision.organization_id and not commission.voided
        and (commission.id = decision.commission_id or commission.reversal_of = decision.commission_id)
    ), 0)::bigint as net
    from payment_decisions decision
    where decision.organization_id = ${organization.id} and decision.replaced_at is null
      and decision.paid_at < ${second(until * DAY)}`;
  return new Map(rows.map(({ payment_id, ...row }) => [payment_id, row]));
}

it("decides what a rerun decides after the change, and finds all that it changes", {
  timeout: 300_000 + RUNS * 8_000,
}, async () => {
  const history = fc.record({
    story: stories,
    processor: fc.constantFrom("stripe" as const, "generic" as const),
    acts: recorded_acts,
    draft: drafts.map(withValidRules),
    converts_fixed_amounts: fc.boolean(),
  });
  let tried_payments = 0;
  let changed_payments = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ draft, converts_fixed_amounts, ...rest }) => {
      const reporting = { ...rest, emails: null };
      const [trying, changing] = [await makeWorld(test.database), await makeWorld(test.database)];
      for (const world of [trying, changing]) {
        await updateSettings(world.context, { converts_fixed_amounts });
        await applyInBatches(world, messagesOf(reporting, world), [5]);
      }
      const before = await decided(trying, draft.until);
      const tried = await tryAll(trying, await draftOf(trying, draft));
      expect(await decided(trying, draft.until)).toEqual(before);
      await changeAndRerun(changing, draft);
      const after = await decided(changing, draft.until);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      for (const [payment_id, was] of before) {
        const payment = tried.get(payment_id);
        const expected = payment === undefined ? was : decisionOf(payment.after);
        expect({ payment_id, ...after.get(payment_id) }).toEqual({ payment_id, ...expected });
        if (payment === undefined) continue;
        expect({ payment_id, ...decisionOf(payment.before) }).toEqual({ payment_id, ...was });
        expect(payment.is_changed).toBe(JSON.stringify(textOf(expected)) !== JSON.stringify(textOf(was)));
        tried_payments += 1;
        if (payment.is_changed) changed_payments += 1;
      }
    }),
    { ...LIMIT, numRuns: RUNS },
  );
  // Else nothing was compared. A few random drafts may change nothing.
  if (RUNS < MANY_RUNS) return;
  expect(tried_payments).toBeGreaterThan(0);
  expect(changed_payments).toBeGreaterThan(0);
});

function decisionOf(outcome: TriedPayment["after"]) {
  return { outcome: outcome.outcome as string, minor: outcome.commission_minor, net: netOf(outcome) };
}

function textOf({ outcome, minor, net }: ReturnType<typeof decisionOf>) {
  return [outcome, String(minor), String(net)];
}

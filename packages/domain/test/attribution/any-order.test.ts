import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import type { Context } from "../../src/context.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import {
  type Bring,
  CLICK_DAYS,
  PARTNERS,
  type Story,
  stories,
  withSingleEmail,
} from "./customer-stories.ts";
import { addPartner, apply, click, payOut, wrongPassed } from "./program.ts";
import { second } from "./reported.ts";

/** More of them by `ORDERS=1000`. */
const RUNS = extent("ORDERS", { short: 5, full: 15 });

/** A property that fails is made smaller until then, and reports its seed. */
const LIMIT = { interruptAfterTimeLimit: 30_000 + RUNS * 4_000, markInterruptAsFailure: true };

const DAY = 24 * 60 * 60;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** What `verify ledger` finds. */
async function faults({ database, organization }: Context): Promise<object[]> {
  return (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
}

interface World {
  context: Context;
  affiliates: string[];
  bring: Bring;
}

/** An organization with a partner for each kind of rule. */
async function makeWorld(): Promise<World> {
  const context = await makeContext(test.database);
  const rules = [
    {
      first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
      limit_type: "payments",
      limit_amount: 2,
    },
    { limit_type: "months", limit_amount: 1, customers: "any", attribution: "first_click" },
    { commission_type: "fixed", commission_amount: 7, customers: "new", skip_prorations: true },
    {
      custom_commission_type: "product",
      custom_commissions: [{ product_id: "prod_a", type: "percentage", amount: 12.5 }],
    },
  ] as const;
  expect(rules).toHaveLength(PARTNERS);
  const affiliates: string[] = [];
  const clicks = new Map<string, string>();
  for (const [number, rule] of rules.entries()) {
    const mode = { code_mode: "both", reference_coupon: "coupon" } as const;
    const { affiliate_id } = await addPartner(context, { ...mode, ...rule } as never, {
      promo_code: `PARTNER${number}`,
      // The last one of them may be a customer, too.
      ...(number === PARTNERS - 1 ? { email: "buyer2@customers.test" } : {}),
    });
    affiliates.push(affiliate_id);
    for (const day of CLICK_DAYS) {
      const at = second(day * DAY + number);
      clicks.set(`${number} ${day}`, await click(context, { affiliate_id, at }));
    }
    await context.database`
      update affiliate_codes set external_id = ${`promo_${number}`}
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and kind = 'promo'`;
  }
  return {
    context,
    affiliates,
    bring: ({ partner, by, clicked_on }) =>
      by === "click"
        ? { click_ids: [clicks.get(`${partner} ${clicked_on}`) ?? ""] }
        : { external_id: `promo_${partner}` },
  };
}

/** What came of it, with partners by their numbers. Voided commissions of payments that earn nothing are left out, and replaced decisions. */
async function resultOf({ context: { database, organization }, affiliates }: World) {
  const decisions = await database`
    select payment_id, outcome, affiliate_id, commission_minor::text, reversed_minor::text
    from payment_decisions where organization_id = ${organization.id} and replaced_at is null order by payment_id`;
  const commissions = await database`
    select commission.processor_payment_id, commission.affiliate_id, commission.revenue_minor::text,
      commission.commission_minor::text, commission.currency, commission.payout_status, commission.referral_date
    from commission_states commission
    join payment_decisions decision on decision.organization_id = commission.organization_id
      and decision.commission_id = commission.id
    where commission.organization_id = ${organization.id}
      and (decision.outcome = 'commission' and decision.replaced_at is null or commission.payout_status <> 'voided')
    order by commission.processor_payment_id`;
  const referrals = await database`
    select affiliate_id, subscription_status, signup_date
    from referrals where organization_id = ${organization.id} and replaced_at is null
    order by signup_date, lower(email)`;
  const balances = await database`
    select affiliate_id, currency, sum(commission_minor)::text as due
    from commissions where organization_id = ${organization.id} and not voided
    group by affiliate_id, currency order by currency, due`;
  const lookups = await database`
    select kind, subject, purpose, object_id from processor_lookups
    where organization_id = ${organization.id} order by kind, subject`;
  const numbered = (rows: readonly object[]) =>
    rows.map((row) => ({
      ...row,
      affiliate_id: "affiliate_id" in row ? affiliates.indexOf(String(row.affiliate_id)) : null,
    }));
  return {
    lookups,
    decisions: numbered(decisions),
    commissions: numbered(commissions),
    referrals: numbered(referrals),
    balances: numbered(balances).sort((a, b) => (a.affiliate_id ?? 0) - (b.affiliate_id ?? 0)),
  };
}

/** What each affiliate earned on balance, without those who earned nothing. */
function earned({ balances }: { balances: { affiliate_id: number | null }[] }): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { affiliate_id, ...balance } of balances as Balance[]) {
    const name = `${affiliate_id} ${balance.currency}`;
    sums[name] = (sums[name] ?? 0n) + BigInt(balance.due);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}

interface Balance {
  affiliate_id: number;
  currency: string;
  due: string;
}

/** Commissions and referrals without exactly one event. */
async function misannounced({ context: { database, organization } }: World) {
  return await database`
    with announced as (
      select type, body::json -> 'data' ->> 'id' as id, count(*)::int as times from events
      where organization_id = ${organization.id} group by 1, 2
    )
    select * from announced where times > 1
    union all select 'commission.created', id::text, 0 from commissions
    where organization_id = ${organization.id} and reversal_of is null
      and id::text not in (select id from announced where type = 'commission.created')
    union all select 'referral.converted', id::text, 0 from referrals
    where organization_id = ${organization.id} and converted_at is not null
      and id::text not in (select id from announced where type = 'referral.converted')`;
}

interface Reporting {
  story: Story;
  processor: "stripe" | "generic";
  /** On which single report each customer's email is; null: on those that the story says. */
  emails: number[] | null;
}

/** The story's events as messages; an event has the same message in every order. */
function messagesOf({ story, processor, emails }: Reporting, { bring }: World): IncomingFact[] {
  const reported = story(bring);
  const facts = emails === null ? reported : withSingleEmail(reported, emails);
  return facts.map((fact: PaymentFact, index) => ({
    processor: fact.kind === "signup" ? "tracking" : processor,
    message_id: `evt_${String(index).padStart(4, "0")}`,
    fact,
  }));
}

const processor = fc.constantFrom("stripe" as const, "generic" as const);
const single_emails = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });

it("attributes customers the same in any order, also with repeated reports", {
  timeout: 300_000 + RUNS * 4_000,
}, async () => {
  const reporting = fc.record({
    story: stories,
    processor,
    emails: fc.option(single_emails, { freq: 2 }),
    order: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
    /** The number of messages in each batch. */
    sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
    twice: fc.nat({ max: 3 }),
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(reporting, async ({ order, sizes, twice, ...reporting }) => {
      const straight = await makeWorld();
      await apply(straight.context, messagesOf(reporting, straight));
      const shuffled = await makeWorld();
      const messages = messagesOf(reporting, shuffled);
      const again = twice === 0 ? messages : messages.filter((_, index) => index % (twice + 1) === 0);
      const mixed = [...messages, ...again]
        .map((message, index) => ({ message, key: order[index % order.length] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ message }) => message);
      for (let from = 0, step = 0; from < mixed.length; step++) {
        const size = sizes[step % sizes.length] ?? 1;
        await apply(shuffled.context, mixed.slice(from, from + size));
        from += size;
      }
      const expected = await resultOf(straight);
      decided += expected.commissions.length;
      expect(await resultOf(shuffled)).toEqual(expected);
      for (const { context } of [straight, shuffled]) {
        expect(await wrongPassed(context)).toEqual([]);
        expect(await faults(context)).toEqual([]);
      }
    }),
    { ...LIMIT, numRuns: RUNS },
  );
  // Else nothing was compared.
  expect(decided).toBeGreaterThan(0);
});

it("keeps sums and publishes each event once with payouts in between", {
  timeout: 300_000 + RUNS * 4_000,
}, async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(
      stories,
      processor,
      fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
      async (story, processor, order) => {
        const straight = await makeWorld();
        await apply(straight.context, messagesOf({ story, processor, emails: null }, straight));
        const paying = await makeWorld();
        const messages = messagesOf({ story, processor, emails: null }, paying)
          .map((message, index) => ({ message, key: order[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ message }) => message);
        for (let from = 0; from < messages.length; from += 4) {
          await apply(paying.context, messages.slice(from, from + 4));
          await payOut(paying.context);
        }
        const expected = await resultOf(straight);
        const result = await resultOf(paying);
        decided += expected.commissions.length;
        expect(result.decisions).toEqual(expected.decisions);
        expect(earned(result)).toEqual(earned(expected));
        expect(await misannounced(straight)).toEqual([]);
        expect(await misannounced(paying)).toEqual([]);
        expect(await faults(paying.context)).toEqual([]);
      },
    ),
    { ...LIMIT, numRuns: Math.ceil(RUNS / 2) },
  );
  expect(decided).toBeGreaterThan(0);
});

it("uses an email from any report", { timeout: 300_000 + RUNS * 4_000 }, async () => {
  let earned = 0;
  await fc.assert(
    fc.asyncProperty(stories, processor, single_emails, async (story, processor, emails) => {
      const everywhere = await makeWorld();
      await apply(everywhere.context, messagesOf({ story, processor, emails: null }, everywhere));
      const once = await makeWorld();
      // One by one: the email is often the last thing that is known of a customer.
      for (const message of messagesOf({ story, processor, emails }, once))
        await apply(once.context, [message]);
      const expected = await resultOf(everywhere);
      earned += expected.commissions.length;
      expect(await resultOf(once)).toEqual(expected);
    }),
    { ...LIMIT, numRuns: Math.ceil(RUNS / 2) },
  );
  expect(earned).toBeGreaterThan(0);
});

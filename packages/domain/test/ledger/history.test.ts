import { administer, createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { histories } from "./actions.ts";
import { amountOf, currencyOf, LedgerHistory, refundedOf } from "./history.ts";
import { brokenRules } from "./program.ts";

/** More of them by `LEDGER_HISTORIES=500`. */
const RUNS = extent("LEDGER_HISTORIES", { short: 4, full: 10 });
/** The net commission of each payment. */
const PERCENT = 30n;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 12 });
  // Postgres reports deadlocks at once instead of after a second.
  const name = new URL(test.url).pathname.slice(1);
  await administer(test.url, (sql) => sql.unsafe(`alter database ${name} set deadlock_timeout = '20ms'`));
});

afterAll(() => test.close());

interface StoredCommission {
  id: string;
  affiliate_id: string;
  currency: string;
  commission_minor: bigint;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  payable_at: Date;
  processor_payment_id: string | null;
  reversal_of: string | null;
  is_corrected: boolean;
}

async function commissions({ context }: LedgerHistory): Promise<StoredCommission[]> {
  return await context.database<StoredCommission[]>`
    select id, affiliate_id, currency, commission_minor, payout_status, payable_at, processor_payment_id,
      reversal_of, exists (
        select from commission_corrections correction
        where correction.organization_id = commission.organization_id
          and correction.commission_id in (commission.id, commission.reversal_of)
      ) as is_corrected
    from commission_states commission where organization_id = ${context.organization.id}`;
}

function stateOf({ payout_status, payable_at, commission_minor }: StoredCommission) {
  if (payout_status !== "not_paid") return payout_status;
  return payable_at > new Date() && commission_minor > 0n ? ("held" as const) : ("due" as const);
}

function sum(rows: readonly StoredCommission[]): bigint {
  return rows.reduce((total, { commission_minor }) => total + commission_minor, 0n);
}

/** Each commission is in one state; balances say how much is in each. */
async function expectBalances(ledger: LedgerHistory, rows: StoredCommission[]): Promise<void> {
  for (const { affiliate_id } of ledger.partners) {
    const own = rows.filter((row) => row.affiliate_id === affiliate_id);
    for (const balance of await listBalances(ledger.context, affiliate_id)) {
      const of = (state: ReturnType<typeof stateOf>) =>
        Number(sum(own.filter((row) => row.currency === balance.currency && stateOf(row) === state))) / 100;
      const { held, due, in_payout, paid } = balance;
      expect({ held, due, in_payout, paid }).toEqual({
        held: of("held"),
        due: of("due"),
        in_payout: of("pending"),
        paid: of("paid"),
      });
      expect(cents(balance.earned)).toBe(cents(held + due + in_payout + paid));
    }
  }
}

const cents = (major: number) => Math.round(major * 100);

/** Manual commissions still exist, in any state. */
function expectManualCommissions({ earned }: LedgerHistory, rows: StoredCommission[]): void {
  const manual = rows.filter(({ processor_payment_id }) => processor_payment_id === null);
  const found = manual.map(({ id, affiliate_id, currency, commission_minor }) => {
    return [id, { affiliate_id, currency, amount_minor: commission_minor }] as const;
  });
  expect(new Map(found)).toEqual(earned);
}

/**
 * The net commission of each payment belongs to the customer's first partner, and to nobody else. Manual corrections may
 * change that, but no partner gets more of a payment than it earns, or a negative amount.
 */
function expectOfPayments(ledger: LedgerHistory, rows: StoredCommission[]): number {
  let compared = 0;
  for (const subject of ledger.payments) {
    const own = rows.filter(({ processor_payment_id }) => processor_payment_id === subject);
    const { first, whole, left, currency } = earnedBy(ledger, subject);
    const live = own.filter(({ payout_status }) => payout_status !== "voided");
    expect(live.every((row) => row.currency === currency)).toBe(true);
    const is_corrected = own.some((row) => row.is_corrected);
    if (!is_corrected) compared += 1;
    for (const [number, { affiliate_id }] of ledger.partners.entries()) {
      const got = sum(live.filter((row) => row.affiliate_id === affiliate_id));
      const expected = number === first ? left : 0n;
      const is_right = is_corrected ? got >= 0n && got <= whole : got === expected;
      if (!is_right) throw new Error(`of ${subject} partner ${number} has ${got}, not ${expected}`);
    }
  }
  return compared;
}

/** The reports of a payment add up to this gross and net amount. */
function earnedBy({ brought, refunds }: LedgerHistory, subject: string) {
  const customer = Number(subject.split("_")[1]);
  const first = Math.min(...(brought.get(customer) ?? []));
  const gone = ([0, 1] as const)
    .filter((part) => refunds.get(`${subject.replace("in", "re")}_${part}`) === true)
    .reduce((total, part) => total + refundedOf(subject, part), 0n);
  const whole = (amountOf(subject) * PERCENT) / 100n;
  const left = Number.isFinite(first) ? ((amountOf(subject) - gone) * PERCENT) / 100n : 0n;
  return { first, whole, left, currency: currencyOf(customer) };
}

const STATES = ["due", "held", "paid", "pending", "reversed", "voided"];

it("accounts for each earned cent as held, due, in a payout, paid, voided or reversed", {
  timeout: 300_000 + RUNS * 20_000,
}, async () => {
  let compared = 0;
  const statuses = new Set<string>();
  const law = fc.asyncProperty(histories, async (history) => {
    const ledger = await LedgerHistory.begin(test.database);
    await ledger.perform(history);
    expect(await brokenRules(ledger.context)).toEqual([]);
    const rows = await commissions(ledger);
    await expectBalances(ledger, rows);
    expectManualCommissions(ledger, rows);
    compared += expectOfPayments(ledger, rows);
    for (const row of rows) statuses.add(row.reversal_of === null ? stateOf(row) : "reversed");
  });
  // A few histories may have no paid payout; then more are needed.
  for (let more = 0; more < 5 && statuses.size < STATES.length; more++) {
    // Made smaller, it would happen in another order.
    await fc.assert(law, { numRuns: RUNS, endOnFailure: true });
  }
  expect([...statuses].sort()).toEqual(STATES);
  if (FULL_TESTS) expect(compared).toBeGreaterThan(RUNS);
});

/* Fixed amounts of payments in other currencies, at the stored rates of the payments' days. */
import { findPaymentDecisions } from "@findersfee/database/attribution/decisions";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { beforeEach, describe, expect, it } from "vitest";
import { decideWaitingForRates } from "../../src/attribution/decide-waiting-for-rates.ts";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { viewPaymentDecision } from "../../src/attribution/view.ts";
import type { Context } from "../../src/context.ts";
import { DECIDE_WAITING, importExchangeRates } from "../../src/exchange-rates/import.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addPartner, click, commissions, outcomes, report } from "../attribution/program.ts";
import { charge, checkout, payment, refund, second } from "../attribution/reported.ts";
import { onDay } from "../dates.ts";
import { makeContext } from "../subscriber.ts";
import { ecbFile } from "./files.ts";

const DAY = 24 * 60 * 60;

let url: string;
let context: Context;
let click_id: string;

/** $50.00 for each payment. */
beforeEachInNewProgram(
  (program) => {
    ({ url, context, click_id } = program);
  },
  { commission_type: "fixed", commission_amount: 50 },
);

beforeEach(async () => {
  // All tests of the file share the rates of an installation.
  await context.database.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`truncate exchange_rates`;
  });
});

const convert = (of: Context = context) => updateSettings(of, { converts_fixed_amounts: true });

/** A payment of 100.00 euros, five days after the click. */
function paid(fields: Partial<Parameters<typeof payment>[0]> = {}, clicked = click_id) {
  const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
  return [
    checkout({ subject: "cs_1", ...customer, click_ids: [clicked], at: second(10) }),
    payment({ subject: "in_1", ...customer, at: second(5 * DAY), currency: "EUR", ...fields }),
  ];
}

const load = (days: Record<string, Record<string, string>>, of: Context = context) =>
  importExchangeRates(of.database, ecbFile(days));

async function decisionOf(of: Context = context) {
  const [found] = await of.database<{ id: string }[]>`
    select id from payment_decisions where organization_id = ${of.organization.id}`;
  const [row] = await findPaymentDecisions(of.database, of.organization.id, [found?.id ?? ""]);
  if (row === undefined) throw new Error("there is no decision");
  return viewPaymentDecision(row, of.organization.currency);
}

const jobs = async () => {
  const rows = await context.database<{ count: number }[]>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = ${DECIDE_WAITING}`;
  return rows[0]?.count;
};

describe("a fixed amount for a payment in another currency", () => {
  it("earns nothing unless the organization converts", async () => {
    await load({ [onDay(5)]: { USD: "1.0812" } });
    await report(context, ...paid());
    expect(await outcomes(context)).toEqual({ in_1: "fixed_amount_other_currency" });
  });

  it("is converted at the rate of the payment's day, which the decision names", async () => {
    await load({
      [onDay(5)]: { USD: "1.0812" },
      [onDay(4)]: { USD: "1.08" },
      [onDay(6)]: { USD: "2" },
    });
    await convert();
    await report(context, ...paid());
    expect(await decisionOf()).toMatchObject({
      outcome: "commission",
      commission_amount: 46.24,
      currency: "EUR",
      explanation: {
        exact_amount: "4624",
        steps: [
          {
            rule: "campaign",
            type: "fixed",
            amount: 50,
            of_amount: 100,
            conversion: {
              amount: 46.24,
              currency: "EUR",
              rate: "0.9248982612",
              exchange_rates: [{ currency: "USD", rate: "1.0812", source: "ecb", day: onDay(5) }],
            },
          },
        ],
      },
    });
    expect(await commissions(context)).toMatchObject([{ commission_minor: 4_624n, is_reversal: false }]);
  });

  it("takes the rate of the last published day, at most 7 days earlier", async () => {
    await convert();
    await load({ [onDay(-2)]: { USD: "1.07", GBP: "0.8" }, [onDay(-3)]: { JPY: "160" } });
    await report(context, ...paid({ currency: "GBP" }));
    expect((await decisionOf()).explanation.steps[0]?.conversion?.exchange_rates).toEqual([
      { currency: "USD", rate: "1.07", source: "ecb", day: onDay(-2) },
      { currency: "GBP", rate: "0.8", source: "ecb", day: onDay(-2) },
    ]);
    await report(
      context,
      payment({ subject: "in_2", customer_id: "cus_1", at: second(5 * DAY), currency: "JPY" }),
    );
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "exchange_rate_missing" });
  });

  it("is partly lost by a refund, like any other", async () => {
    await convert();
    await load({ [onDay(5)]: { USD: "1.0812" } });
    await report(
      context,
      ...paid({ references: ["pi_1"] }),
      refund({ subject: "re_1", amount_minor: 5_000n, at: second(6 * DAY), references: ["pi_1"] }),
    );
    expect(await commissions(context)).toMatchObject([{ commission_minor: 2_312n }]);
  });
});

describe("a payment without a rate", () => {
  it("waits, reserves its place, and is decided once the rate of its day is there", async () => {
    await convert();
    await report(context, ...paid());
    expect(await outcomes(context)).toEqual({ in_1: "exchange_rate_missing" });
    expect(await decideWaitingForRates(context.database)).toBe(0);
    await load({ [onDay(6)]: { USD: "1.5" }, [onDay(-3)]: { USD: "1.4" } });
    expect(await decideWaitingForRates(context.database)).toBe(0);
    await load({ [onDay(5)]: { USD: "1.0812" } });
    expect(await jobs()).toBe(1);
    expect(await decideWaitingForRates(context.database)).toBe(1);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    expect(await decideWaitingForRates(context.database)).toBe(0);
  });

  it("waits for the rate of its rule's own currency, not of the organization's", async () => {
    const of = await makeContext(context.database);
    const rules = [
      { conditions: {}, reward: { type: "fixed", amounts: [{ currency: "GBP", amount: 10 }] } },
    ] as never;
    const { affiliate_id } = await addPartner(of, { rules });
    await convert(of);
    await report(of, ...paid({}, await click(of, { affiliate_id, at: second(1) })));
    expect(await outcomes(of)).toEqual({ in_1: "exchange_rate_missing" });
    await load({ [onDay(5)]: { USD: "1.0812" } });
    expect(await decideWaitingForRates(of.database)).toBe(0);
    await load({ [onDay(5)]: { GBP: "0.8333" } });
    expect(await decideWaitingForRates(of.database)).toBe(1);
    expect(await commissions(of)).toMatchObject([{ commission_minor: 1_200n }]);
  });

  it("needs another rate once the customer is moved to an affiliate with amounts in another currency", async () => {
    const of = await makeContext(context.database);
    const inPounds = [
      { conditions: {}, reward: { type: "fixed", amounts: [{ currency: "GBP", amount: 10 }] } },
    ] as never;
    const { affiliate_id } = await addPartner(of, { commission_type: "fixed", commission_amount: 50 });
    const other = await addPartner(of, { rules: inPounds });
    await load({ [onDay(5)]: { USD: "1.0812", GBP: "0.8333" } });
    await convert(of);
    await report(of, ...paid({}, await click(of, { affiliate_id, at: second(1) })));
    expect(await commissions(of)).toMatchObject([{ commission_minor: 4_624n }]);
    const [referral] = await of.database<{ id: string }[]>`
      select id from referrals where organization_id = ${of.organization.id}`;
    const moved = { referral_id: referral?.id ?? "", affiliate_id: other.affiliate_id };
    await moveCustomer(of, {
      ...moved,
      reason: "Agreed",
      unpaid_commissions: true,
      dry_run: false,
    });
    expect(await commissions(of)).toMatchObject([{ commission_minor: 1_200n }]);
    const [{ id }] = await of.database<[{ id: string }]>`
      select id from payment_decisions where organization_id = ${of.organization.id}`;
    await load({ [onDay(5)]: { USD: "3", GBP: "3" } });
    await report(
      of,
      refund({ subject: "re_1", references: ["in_1"], at: second(6 * DAY), amount_minor: 1n }),
    );
    expect(await decisionOf(of)).toMatchObject({ id, outcome: "commission", commission_amount: 12 });
  });

  it("counts for the limit of payments, unless it is refunded by the next one", async () => {
    const of = await makeContext(context.database);
    const { affiliate_id } = await addPartner(of, {
      commission_type: "fixed",
      commission_amount: 50,
      limit_type: "payments",
      limit_amount: 1,
    });
    await convert(of);
    await report(of, ...paid({}, await click(of, { affiliate_id, at: second(1) })));
    await report(of, payment({ subject: "in_2", customer_id: "cus_1", at: second(6 * DAY) }));
    const limited = { in_1: "exchange_rate_missing", in_2: "limit_reached" };
    expect(await outcomes(of)).toEqual(limited);
    const refunded = { amount_minor: 5_000n, references: ["in_1"] };
    await report(of, refund({ subject: "re_1", at: second(5.5 * DAY), ...refunded }));
    await report(of, refund({ subject: "re_2", at: second(7 * DAY), ...refunded }));
    expect(await outcomes(of)).toEqual(limited);
    await report(of, refund({ subject: "re_3", at: second(4 * DAY), ...refunded }));
    expect(await outcomes(of)).toEqual({ ...limited, in_2: "commission" });
    await load({ [onDay(5)]: { USD: "1.0812" } });
    expect(await decideWaitingForRates(of.database)).toBe(1);
    expect(await outcomes(of)).toEqual({ in_1: "commission", in_2: "commission" });
  });
});

describe("a later change", () => {
  it("of a rate changes no decision, until a person reruns it", async () => {
    await convert();
    await load({ [onDay(5)]: { USD: "1.0812" } });
    await report(context, ...paid());
    expect(await load({ [onDay(5)]: { USD: "1.25" } })).toMatchObject({ added: 0, corrected: 1 });
    await report(
      context,
      payment({ subject: "in_2", customer_id: "cus_1", at: second(5 * DAY), currency: "EUR" }),
    );
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "in_1", commission_minor: 4_624n },
      { processor_payment_id: "in_2", commission_minor: 4_000n },
    ]);
    const [first] = await context.database<{ id: string }[]>`
      select id from payment_decisions where organization_id = ${context.organization.id} and payment_id = 'in_1'`;
    expect(await rerunPayment(context, first?.id ?? "")).toMatchObject({ commission_amount: 40 });
  });

  it("of a rate changes no payment that only a charge reports", async () => {
    await convert();
    await load({ [onDay(5)]: { USD: "1.0812" } });
    const [visit] = paid();
    const of_customer = { customer_id: "cus_1", at: second(5 * DAY), currency: "EUR" };
    if (visit !== undefined) await report(context, visit);
    await report(context, charge({ subject: "pi_1", ...of_customer }));
    await load({ [onDay(5)]: { USD: "1.25" } });
    const again = { ...of_customer, at: second(5 * DAY + 1), paid_at: second(5 * DAY) };
    await report(
      context,
      charge({ subject: "pi_1", ...again }),
      refund({ subject: "re_1", amount_minor: 5_000n, at: second(6 * DAY), references: ["pi_1"] }),
    );
    expect(await decisionOf()).toMatchObject({ outcome: "commission", commission_amount: 46.24 });
  });

  it("of the setting changes no decision, until a person reruns it", async () => {
    await load({ [onDay(5)]: { USD: "1.0812" } });
    await report(context, ...paid());
    await convert();
    await report(context, ...paid());
    expect(await outcomes(context)).toEqual({ in_1: "fixed_amount_other_currency" });
    const { id } = await decisionOf();
    expect(await rerunPayment(context, id)).toMatchObject({
      outcome: "commission",
      commission_amount: 46.24,
    });
    await updateSettings(context, { converts_fixed_amounts: false });
    await report(
      context,
      ...paid({ paid_minor: 11_900n, at: second(5 * DAY + 1), paid_at: second(5 * DAY) }),
    );
    expect(await decisionOf()).toMatchObject({
      outcome: "commission",
      commission_amount: 46.24,
      paid_amount: 119,
    });
  });
});

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it("waiting payments are decided once, and a repetition decides the rest", async () => {
    const results = { decided: 0, waiting: 0 };
    await load({ [onDay(5)]: { USD: "1.0812" } });
    await failEachCall(url, kind, async (database) => {
      const of = await makeContext(context.database);
      const { affiliate_id } = await addPartner(of, { commission_type: "fixed", commission_amount: 50 });
      await convert(of);
      await report(of, ...paid({ currency: "GBP" }, await click(of, { affiliate_id, at: second(1) })));
      expect(await outcomes(of)).toEqual({ in_1: "exchange_rate_missing" });
      await insertPounds(of);
      await decideWaitingForRates(database).catch(() => undefined);
      const { in_1 } = await outcomes(of);
      results[in_1 === "commission" ? "decided" : "waiting"] += 1;
      await decideWaitingForRates(context.database);
      expect(await commissions(of)).toMatchObject([{ commission_minor: 3_854n }]);
      const checked = await verifyLedger(context.database, of.organization.id);
      expect(checked.filter(({ rows }) => rows.length > 0)).toEqual([]);
      await deletePounds(of);
    });
    expect(results.decided).toBeGreaterThan(0);
    expect(results.waiting).toBeGreaterThan(0);
  });
});

async function insertPounds({ database }: Context): Promise<void> {
  await database`
    insert into exchange_rates (source, currency, day, revision, rate, fetched_at)
    values ('ecb', 'GBP', ${onDay(5)}, 1, 0.8333, now())`;
}

/** The next attempt waits for the rate again. */
async function deletePounds({ database }: Context): Promise<void> {
  await database.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`delete from exchange_rates where currency = 'GBP'`;
  });
}

/*
 * Every statement that writes commissions or payouts contains their postings: with them `verify ledger` finds nothing,
 * and without any part of them the database refuses the statement, or `verify ledger` finds it.
 */
import { readdir, readFile } from "node:fs/promises";
import { insertWrittenCommissions, type WrittenCommission } from "@findersfee/database/commissions/changes";
import { insertCommissions } from "@findersfee/database/commissions/creation";
import { followReviews } from "@findersfee/database/commissions/recruits";
import { changeReviewReasons, decideReview } from "@findersfee/database/commissions/reviews";
import {
  insertAdjustment,
  restoreAdjustment,
  withdrawAdjustment,
} from "@findersfee/database/ledger/adjustments";
import { markPaid, markProcessing, releasePayouts } from "@findersfee/database/payouts/moves";
import { type Connection, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { brokenLedgerGuard } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { newId } from "../../src/ids.ts";
import { postingsOfNew } from "../../src/ledger/postings.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { addAffiliate, addPartner } from "../attribution/program.ts";
import { changeCommission, payDue } from "../postings.ts";
import {
  addEarner,
  brokenRules,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
  payouts,
} from "./program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface Prepared {
  context: CreationContext;
  jane: Earner;
  /** An unpaid commission. */
  commission_id: string;
}

interface Writer {
  /** The file and the statement in it. */
  statement: string;
  write: (sql: Transaction, prepared: Prepared) => Promise<unknown>;
  /** Whether the commission is in a pending payout before. */
  in_payout?: boolean;
  parts: readonly Part[];
}

const PARTS = {
  entry: [/(insert into ledger_entries [\s\S]*?from (?:posting|commission|adjustment))\b/, "$1 where false"],
  balance: [/\) as sums\n/, ") as sums where false\n"],
  unpaid: [
    /(insert into unpaid_commissions [\s\S]*?from (?:commission|line|adjustment) as commission where) /,
    "$1 false and ",
  ],
  moved: [/where not commission.voided and not commission.from_voided/, "where false"],
  removed: [/where commission.voided and/, "where false and"],
  due_of_line: [
    /(update unpaid_commissions unpaid set due_at = [\s\S]*?from line\s+where) /,
    "$1 false and ",
  ],
  due: [/(update unpaid_commissions unpaid set due_at = [\s\S]*?from commission\s+where) /, "$1 false and "],
  placed: [/(insert into payout_commissions [\s\S]*?from taken)/, "$1 where false"],
} as const;

type Part = keyof typeof PARTS;

function commissionOf({ jane }: Prepared, changes: Partial<WrittenCommission> = {}): WrittenCommission {
  const created_at = new Date();
  return {
    id: newId(created_at),
    ...jane,
    revenue_minor: 2_000n,
    commission_minor: 600n,
    currency: "USD",
    payout_status: "not_paid",
    referral_date: created_at,
    processor_payment_id: null,
    reversal_of: null,
    lead: null,
    recruit_commission_id: null,
    created_at,
    cause: "test",
    ...changes,
  };
}

async function insertWritten(
  sql: Transaction,
  { context }: Prepared,
  commission: WrittenCommission,
): Promise<void> {
  await insertWrittenCommissions(sql, context.organization.id, {
    commissions: [{ ...commission, review: null }],
    postings: postingsOfNew(commission),
  });
}

async function moveOf({ context }: Prepared) {
  const ids = (await payouts(context)).map(({ id }) => id);
  return { ids, by: "test", reason: null, at: new Date() };
}

const WRITERS: Record<string, Writer> = {
  "creates a commission": {
    statement: "commissions/creation.ts: insert into commissions",
    write: async (sql, prepared) => {
      const { payout_status: _, reversal_of: __, ...commission } = commissionOf(prepared);
      const created = {
        id: newId(new Date()),
        type: "commission.created",
        body: "{}",
        created_at: new Date(),
      };
      const creations = [{ commission, created, converted: null, answer: null }];
      await insertCommissions(sql, prepared.context.organization.id, {
        creations,
        expired_before: new Date(0),
        payment_keys: [],
      });
    },
    parts: ["unpaid", "entry", "balance"],
  },
  "inserts a commission of a payment": {
    statement: "commissions/changes.ts: insert into commissions",
    write: (sql, prepared) => insertWritten(sql, prepared, commissionOf(prepared)),
    parts: ["unpaid", "entry", "balance"],
  },
  "inserts a void commission": {
    statement: "commissions/changes.ts: insert into commissions",
    write: (sql, prepared) =>
      insertWritten(sql, prepared, commissionOf(prepared, { payout_status: "voided" })),
    parts: ["entry", "balance"],
  },
  "inserts a reversal": {
    statement: "commissions/changes.ts: insert into commissions",
    write: (sql, prepared) =>
      insertWritten(
        sql,
        prepared,
        commissionOf(prepared, {
          revenue_minor: -100n,
          commission_minor: -30n,
          reversal_of: prepared.commission_id,
        }),
      ),
    parts: ["unpaid", "entry", "balance"],
  },
  "reduces a commission": {
    statement: "commissions/changes.ts: update commissions",
    write: (sql, { context, commission_id: id }) =>
      changeCommission(sql, context.organization.id, { id, commission_minor: 100n }),
    parts: ["moved", "entry", "balance"],
  },
  "voids a commission": {
    statement: "commissions/changes.ts: update commissions",
    write: (sql, { context, commission_id: id }) =>
      changeCommission(sql, context.organization.id, { id, payout_status: "voided" }),
    parts: ["removed", "entry", "balance"],
  },
  "approves a commission": {
    statement: "commissions/reviews.ts: update commissions",
    write: async (sql, prepared) => {
      const { database, organization } = prepared.context;
      const commission = {
        ...commissionOf(prepared),
        review: { reasons: ["above_amount"], approves_at: null },
      };
      await insertWrittenCommissions(database, organization.id, {
        commissions: [commission],
        postings: postingsOfNew(commission),
      });
      await decideReview(sql, organization.id, {
        ...{ id: commission.id, state: "approved", decision_reason: null },
        ...{ decided_by: "test", decided_at: new Date() },
      });
    },
    parts: ["due"],
  },
  "lets the commission for a recruit wait, as the recruit's": {
    statement: "commissions/recruits.ts: update commissions",
    write: async (sql, prepared) => {
      const { organization } = prepared.context;
      const commission_id = await earn(prepared.context, await addRecruit(prepared.context), { amount: 30 });
      await changeReviewReasons(sql, organization.id, [
        {
          commission_id,
          replaced: ["above_amount"],
          reasons: ["above_amount"],
          since: new Date(),
          approves_at: null,
        },
      ]);
      await followReviews(sql, organization.id, [commission_id]);
    },
    parts: ["due_of_line"],
  },
  "creates payouts": {
    statement: "payouts/new-payouts.ts: insert into payouts",
    write: async (sql, { context }) => {
      const [run] = await sql<[{ id: string }]>`
        select id from payout_runs where organization_id = ${context.organization.id}`;
      await payDue(sql, context.organization.id, { run_id: run.id });
    },
    parts: ["placed", "entry", "balance"],
  },
  "marks payouts as processing": {
    statement: "payouts/moves.ts: update payouts",
    in_payout: true,
    write: async (sql, prepared) =>
      markProcessing(sql, prepared.context.organization.id, await moveOf(prepared)),
    parts: [],
  },
  "pays payouts": {
    statement: "payouts/moves.ts: update payouts",
    in_payout: true,
    write: async (sql, prepared) => markPaid(sql, prepared.context.organization.id, await moveOf(prepared)),
    parts: ["entry", "balance"],
  },
  "releases payouts": {
    statement: "payouts/moves.ts: update payouts",
    in_payout: true,
    write: async (sql, prepared) =>
      releasePayouts(sql, prepared.context.organization.id, {
        ...(await moveOf(prepared)),
        status: "failed",
      }),
    parts: ["unpaid", "entry", "balance"],
  },
  "inserts an adjustment": {
    statement: "ledger/adjustments.ts: insert into adjustments",
    write: adjust,
    parts: ["unpaid", "entry", "balance"],
  },
  "withdraws an adjustment": {
    statement: "ledger/adjustments.ts: update adjustments",
    write: async (sql, prepared) => {
      const id = await adjust(prepared.context.database, prepared);
      await withdrawAdjustment(sql, prepared.context.organization.id, { id, cause: "test" });
    },
    parts: ["entry", "balance"],
  },
  "restores an adjustment": {
    statement: "ledger/adjustments.ts: update adjustments",
    write: async (sql, prepared) => {
      const { database, organization } = prepared.context;
      const change = { id: await adjust(database, prepared), cause: "test" };
      await withdrawAdjustment(database, organization.id, change);
      await restoreAdjustment(sql, organization.id, change);
    },
    parts: ["unpaid", "entry", "balance"],
  },
};

/** Inserts an adjustment; returns its id. */
async function adjust(sql: Connection, { context, jane: { affiliate_id } }: Prepared): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  await insertAdjustment(sql, context.organization.id, {
    id,
    affiliate_id,
    currency: "USD",
    amount_minor: -100n,
    reason: "Correction",
    commission_id: null,
    created_at,
    cause: "test",
  });
  return id;
}

/** An affiliate that another one recruited. */
async function addRecruit(context: Context): Promise<Earner> {
  const { campaign_id, affiliate_id: recruited_by } = await addPartner(context, {
    recruiting: { percent: 10, months: 12 },
  });
  const affiliate_id = await addAffiliate(context, { campaign_id, recruited_by });
  const email = "of-recruit@customers.test";
  const { id } = await createReferral(context, { affiliate_id, email, subscription_status: "signed_up" });
  return { affiliate_id, referral_id: id };
}

async function prepare({ in_payout = false }: Writer): Promise<Prepared> {
  const context = await makePayoutContext(test.database);
  const jane = await addEarner(context);
  const commission_id = await earn(context, jane, { amount: 30 });
  if (in_payout) await payOut(context, monthsAgo(1));
  else await startPayoutRun(context, { period: monthsAgo(1), method: "manual" });
  return { context, jane, commission_id };
}

/** A connection that leaves a part out of the statements that have it, and counts them. */
function without(sql: Transaction, part: Part): { sql: Transaction; cut: () => number } {
  const [pattern, replacement] = PARTS[part];
  let count = 0;
  const unsafe = (text: string, ...rest: never[]) => {
    const shorter = text.replace(pattern, replacement);
    if (shorter !== text) count += 1;
    return sql.unsafe(shorter, ...rest);
  };
  const proxy = new Proxy(sql, {
    get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
  return { sql: proxy, cut: () => count };
}

describe.each(Object.entries(WRITERS))("a statement that %s", (_name, writer) => {
  it("contains all its postings", async () => {
    const prepared = await prepare(writer);
    await transaction(test.database, (sql) => writer.write(sql, prepared));
    expect(await brokenRules(prepared.context)).toEqual([]);
  });

  if (writer.parts.length === 0) return;

  it.each(writer.parts)("is rejected or detected without its part %s", async (part) => {
    const prepared = await prepare(writer);
    let cut = 0;
    const error = await transaction(test.database, async (sql) => {
      const shortened = without(sql, part);
      await writer.write(shortened.sql, prepared).finally(() => {
        cut = shortened.cut();
      });
    }).catch((error: unknown) => error);
    expect(cut).toBe(1);
    if (error === undefined) expect(await brokenRules(prepared.context)).not.toEqual([]);
    else expect(brokenLedgerGuard(error)).not.toBeNull();
  });
});

it("covers each statement that writes commissions, adjustments or payouts", async () => {
  const folder = new URL("../../../database/src/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const found = new Set<string>();
  for (const name of names) {
    const text = await readFile(new URL(name, folder), "utf8");
    for (const [, verb] of text.matchAll(
      /\b((?:insert\s+into|update|delete\s+from)\s+(?:commissions|payouts|adjustments))\b/g,
    )) {
      found.add(`${name}: ${verb}`);
    }
  }
  expect([...found].sort()).toEqual(
    [...new Set(Object.values(WRITERS).map(({ statement }) => statement))].sort(),
  );
});

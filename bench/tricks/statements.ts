/*
 * Question: what do hints in statements save? The statements of the service run with and without their hints: with current
 * statistics, and on connections that planned when the tables were almost empty.
 */

import { updateCommissions } from "@findersfee/database/commissions/changes";
import {
  findCommission,
  listCommissions,
  lockCommission,
} from "@findersfee/database/commissions/commissions";
import { findReferral, findReferrals } from "@findersfee/database/customers/referrals";
import { releasePayouts } from "@findersfee/database/payouts/moves";
import { createPayouts, listDue, NO_PAYEE } from "@findersfee/database/payouts/runs";
import type { Database } from "@findersfee/database/postgres/connect";
import { newId } from "@findersfee/domain/ids";
import type { Bench } from "../bench.ts";
import { fillPayees } from "../payouts/fill.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { commissionInsert } from "./commission.ts";
import { compareTricks, formatTricks, rewriting, type Trick } from "./compare.ts";

const PLAIN_VIEW = "plain_commission_states";
const RUN = { id: newId(new Date()), cutoff_at: new Date(Date.now() + 60_000), affiliate_ids: null };

/** Question 1. */
export async function measureStatements(bench: Bench): Promise<void> {
  for (const analyzes of [true, false]) {
    const program = await makeProgram(await bench.server.createDatabase(), 0);
    const lines = await withConnection(program.database_url, (used) =>
      withConnection(program.database_url, (spared) => measure(bench, { program, used, spared, analyzes })),
    );
    const statistics = analyzes ? "current statistics" : "plans and statistics of almost empty tables";
    bench.print(formatTricks(statistics, lines));
  }
}

interface Sides {
  program: Program;
  /** With all hints. */
  used: Database;
  /** Without the hint in question. */
  spared: Database;
  analyzes: boolean;
}

async function measure(bench: Bench, { program, used, spared, analyzes }: Sides): Promise<string[][]> {
  await prepareTables(used, program);
  const early = await tricksOf(program, used, spared);
  if (!analyzes)
    for (const { with: a, without: b } of early)
      for (let call = 0; call < 8; call++) await Promise.all([a(), b()]);
  const affiliates = bench.quick ? 5_000 : 30_000;
  await fillPayees(used, program, { affiliates, commissions_each: 4, days: 100, analyzes });
  if (analyzes) await used`vacuum analyze`;
  const tricks = await tricksOf(program, used, spared);
  return await compareTricks(used, tricks, bench.quick ? 2 : 5);
}

/** Disables automatic statistics, and adds the view without its hints and a run. */
async function prepareTables(
  sql: Database,
  { organization_id, referral_ids, affiliate_ids }: Program,
): Promise<void> {
  for (const table of [
    "affiliates",
    "referrals",
    "commissions",
    "unpaid_commissions",
    "balances",
    "payouts",
    "payout_commissions",
  ]) {
    await sql.unsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  const [{ text }] = await sql<[{ text: string }]>`select pg_get_viewdef('commission_states') as text`;
  await sql.unsafe(`create view ${PLAIN_VIEW} as ${text.replaceAll(/\bOFFSET 0\b/gi, "")}`);
  await sql`
    insert into payout_runs (organization_id, id, period, cutoff_at, currency, method, started_by, created_at, finished_at, due_at)
    values (${organization_id}, ${RUN.id}, '2026-01', ${RUN.cutoff_at}, 'USD', 'manual', 'bench', now(), now(), null)`;
  const insert = commissionInsert({
    organization_id,
    affiliate_id: affiliate_ids[0] ?? "",
    referral_id: referral_ids[0] ?? "",
  });
  for (let count = 0; count < 20; count++) await insert(sql);
}

const without = (hint: string | RegExp) => (text: string) => text.replaceAll(hint, "");
const withoutOffset = without(/\boffset 0\b/g);
const withoutMaterialized = (text: string) => text.replaceAll("as materialized", "as");

async function tricksOf(program: Program, used: Database, spared: Database): Promise<Trick[]> {
  const { organization_id } = program;
  const rows = await used<{ affiliate_id: string; referral_id: string; id: string; currency: string }[]>`
    select affiliate_id, referral_id, id, currency from commissions
    where organization_id = ${organization_id} order by id limit 1000`;
  const pick = () => rows[Math.floor(Math.random() * rows.length)] ?? rows[0];
  const one = () => {
    const row = pick();
    if (row === undefined) throw new Error("no commissions");
    return row;
  };
  const trick = (
    name: string,
    rewrite: (text: string) => string,
    work: (sql: Database) => Promise<unknown>,
  ): Trick => {
    const plain = rewriting(spared, rewrite);
    return { name, with: () => work(used), without: () => work(plain) };
  };
  const sixteen = () => Array.from({ length: 16 }, () => one());
  return [
    trick(
      "none: the same statement twice",
      (text) => text,
      (sql) => findReferral(sql, organization_id, one().referral_id),
    ),
    trick("offset: status of a commission", plainView, (sql) =>
      findCommission(sql, organization_id, one().id),
    ),
    trick("offset: status of 100 commissions", plainView, (sql) =>
      listCommissions(sql, organization_id, { filter: {}, range: { below: null, limit: 100, offset: 0 } }),
    ),
    trick("limit 1: a referral", without("limit 1"), (sql) =>
      findReferral(sql, organization_id, one().referral_id),
    ),
    trick("limit 1: a commission", without("limit 1"), (sql) =>
      findCommission(sql, organization_id, one().id),
    ),
    trick("limit: 16 referrals", withoutLimit, (sql) =>
      findReferrals(sql, organization_id, [...new Set(sixteen().map(({ referral_id }) => referral_id))]),
    ),
    trick("materialized: due payees", withoutMaterialized, (sql) =>
      listDue(sql, organization_id, { run: RUN, after: NO_PAYEE, limit: 100 }),
    ),
    trick("materialized: change of a commission", withoutMaterialized, (sql) =>
      change(sql, organization_id, one().id),
    ),
    trick("materialized: 20 payouts", withoutMaterialized, (sql) => payOut(sql, organization_id, rows)),
    trick("offset: 20 payouts", withoutOffset, (sql) => payOut(sql, organization_id, rows)),
    trick("offset: release of 20 payouts", withoutOffset, (sql) => release(sql, organization_id, rows)),
  ];
}

function plainView(text: string): string {
  return withoutOffset(text).replaceAll("commission_states", PLAIN_VIEW);
}

/** The parameter stays. */
function withoutLimit(text: string): string {
  return text.replace(/limit (\$\d+::int)/, "and $1 is not null");
}

/** Ends a transaction without its changes. */
class Undo extends Error {}

async function undone(
  sql: Database,
  work: (sql: Parameters<typeof createPayouts>[0]) => Promise<unknown>,
): Promise<void> {
  await sql
    .begin(async (inside) => {
      await work(inside as never);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
}

/** Writes a commission's current values. */
async function change(sql: Database, organizationId: string, id: string): Promise<void> {
  await undone(sql, async (inside) => {
    const row = await lockCommission(inside, organizationId, id);
    if (row === null) throw new Error("no commission");
    const { revenue_minor, commission_minor, currency, payout_status, referral_date, created_at } = row;
    const { processor_payment_id, reversal_of, referral, affiliate } = row;
    const before = {
      id,
      revenue_minor,
      commission_minor,
      currency,
      payout_status,
      referral_date,
      created_at,
      processor_payment_id,
      reversal_of,
      lead: null,
      recruit_commission_id: null,
      referral_id: referral.id,
      affiliate_id: affiliate.id,
      cause: "bench",
    };
    await updateCommissions(inside, organizationId, { changes: [{ before, after: before }], postings: [] });
  });
}

interface Payee {
  affiliate_id: string;
  currency: string;
}

function payeesOf(rows: readonly Payee[]) {
  const payees = new Map(rows.map((row) => [row.affiliate_id, row]));
  return [...payees.values()]
    .slice(0, 20)
    .map(({ affiliate_id, currency }) => ({ id: newId(new Date()), affiliate_id, currency }));
}

async function payOut(sql: Database, organizationId: string, rows: readonly Payee[]): Promise<void> {
  await undone(sql, async (inside) => {
    await createPayouts(inside, organizationId, {
      run: RUN,
      created_at: new Date(),
      payouts: payeesOf(rows),
    });
  });
}

async function release(sql: Database, organizationId: string, rows: readonly Payee[]): Promise<void> {
  await undone(sql, async (inside) => {
    const payouts = payeesOf(rows);
    await createPayouts(inside, organizationId, { run: RUN, created_at: new Date(), payouts });
    await releasePayouts(inside, organizationId, {
      ids: payouts.map(({ id }) => id),
      by: "bench",
      reason: null,
      at: new Date(),
      status: "canceled",
    } as never);
  });
}

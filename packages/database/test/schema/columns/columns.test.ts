/* The row types of all statements are compared with the columns that Postgres describes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as readers from "../../../src/readers.ts";
import { createTestDatabase, type TestDatabase } from "../../test-database.ts";
import { compareRow, type Nullable, readNullable } from "./compare.ts";
import { Recorder } from "./recorder.ts";
import { Sources } from "./sources.ts";

/** Columns that can be null in their table but not in the result, by file and name. */
const NEVER_NULL: Record<string, string> = {
  "affiliates/recruits.ts recruited_until": "only recruits",
  "affiliates/recruits.ts recruiting_rate": "only recruits",
  "commissions/recruits.ts recruited_until": "only recruits",
  "commissions/recruits.ts recruiting_rate": "only recruits",
  "commissions/recruits.ts id": "only of commissions for recruits",
  "payouts/conversions.ts payout_currency": "only affiliates with one",
  "payouts/converted-payouts.ts currency": "only affiliates with one",
  "webhooks/deliveries.ts duration_milliseconds": "rows without a duration are left out",
  "webhooks/endpoint-disabling.ts disabled_at": "only disabled endpoints",
  "webhooks/endpoint-disabling.ts disabled_reason": "only disabled endpoints",
  "tracking/link-codes.ts website_url": "nulls are left out",
  "mails/mails.ts affiliate_id": "depends on the kind, which a check of the table holds to it",
  "mails/mails.ts payout_count": "depends on the kind, which a check of the table holds to it",
  "mails/mails.ts payout_ids": "depends on the kind, which a check of the table holds to it",
  "tiers/evaluations.ts tiers": "campaigns without tiers are left out",
  "payouts/approvals.ts confirmed": "a run that needs approval has it, which a check of the table holds",
  "portal/tokens.ts user_session_id": "only tokens of staff",
  "processors/promo-codes.ts external_request_id": "set by the same statement",
  "processors/reconciliation.ts since": "set by the same statement",
  "processors/reconciliation.ts started_at": "set by the same statement",
};

/** How many typed statements of a file the samples do not reach. */
const NOT_REACHED: Record<string, number> = {
  // Counts by payouts and of unpaid ones need a status, and no other filter.
  "commissions/commissions.ts": 2,
  // Connect by themselves.
  "embedded/service-lock.ts": 1,
  "postgres/time-limits.ts": 1,
  // Their functions take a pool; the tests of `migrate` run them.
  "schema/blockers.ts": 1,
  "schema/migrate.ts": 2,
  "schema/outside-transaction.ts": 1,
  // Its texts are parameters; the tests of `verify ledger` run each of them.
  "ledger/checks.ts": 1,
};

/** Opens pools, and changes those of this test. */
const NOT_CALLED = ["postgres/connect.ts"];

/**
 * Files with names of tables or texts as parameters, for which samples are no SQL, and with parts of statements, which are prepared
 * with the statements of other files.
 */
const TEXTS_AS_PARAMETERS = [
  "commissions/search.ts",
  "ledger/checks.ts",
  "postgres/pages.ts",
  "postgres/partitions.ts",
  "attribution/search.ts",
];

let test: TestDatabase;
let nullable: Nullable;

beforeAll(async () => {
  test = await createTestDatabase();
  nullable = await readNullable(test.database);
});

afterAll(() => test.close());

/** Prepares all statements of a folder. */
async function check(folder: URL) {
  const sources = new Sources(folder);
  const recorders = [true, false].map((full) => new Recorder(test.database, sources, full));
  const called = sources.files.filter((file) => !NOT_CALLED.includes(file));
  for (const recorder of recorders) for (const file of called) await recorder.callAll(file);
  const prepared = recorders.flatMap((recorder) => recorder.prepared);
  const faults = new Map<string, string>();
  for (const { typed, columns } of prepared) {
    if (typed === null) continue;
    for (const { column, fault } of compareRow(sources, { row: typed.row, columns, nullable })) {
      faults.set(`${typed.file} ${column}`, fault);
    }
  }
  const not_reached: Record<string, number> = {};
  for (const typed of sources.statements) {
    if (prepared.some((statement) => statement.typed === typed)) continue;
    not_reached[typed.file] = (not_reached[typed.file] ?? 0) + 1;
  }
  const refused = new Set(recorders.flatMap((recorder) => recorder.refused));
  return { sources, recorder: recorders[0] as Recorder, faults, not_reached, refused: [...refused] };
}

describe("the statements of this package", () => {
  let checked: Awaited<ReturnType<typeof check>>;

  beforeAll(async () => {
    checked = await check(new URL("../../../src/", import.meta.url));
  });

  afterAll(() => checked.sources.close());

  it("are accepted by Postgres", () => {
    const refused = checked.refused.filter(
      (text) => !TEXTS_AS_PARAMETERS.some((file) => text.startsWith(`${file} `)),
    );
    expect(refused).toEqual([]);
  });

  it("return the columns of their row types", () => {
    const faults = [...checked.faults].filter(([column]) => !(column in NEVER_NULL));
    expect(Object.fromEntries(faults)).toEqual({});
    const needed = Object.keys(NEVER_NULL).filter((column) => checked.faults.has(column));
    expect(needed).toEqual(Object.keys(NEVER_NULL));
  });

  it("are all covered", () => {
    expect(checked.sources.statements.length).toBeGreaterThan(100);
    expect(checked.not_reached).toEqual(NOT_REACHED);
  });

  it.each(Object.entries(readers))("return the rows of %s", async (name, reader) => {
    const { sources, recorder } = checked;
    const row = sources.rowOfReader(name);
    const columns = await recorder.columnsOf(reader);
    expect(columns.length).toBeGreaterThan(20);
    expect(compareRow(sources, { row, columns, nullable })).toEqual([]);
  });
});

it("reports wrong row types", async () => {
  const { sources, faults, not_reached, refused } = await check(new URL("./faulty/", import.meta.url));
  sources.close();
  expect(Object.fromEntries(faults)).toEqual({
    "statements.ts middle_name": "the statement does not return it",
    "statements.ts first_name": "the row type lacks it",
    "statements.ts payout_email": "it can be null, and its type is string",
    "statements.ts processor_payment_id": "it can be null, and its type is string",
    "statements.ts clicks": "it is a bigint, and its type is number",
    "statements.ts created_at": "it is a Date, and its type is string",
  });
  expect(refused).toEqual([
    'statements.ts misspelt: column "middle_name" of relation "affiliates" does not exist',
  ]);
  expect(not_reached).toEqual({ "statements.ts": 1 });
});

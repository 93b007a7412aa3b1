import { referenceOf, shortReferenceOf } from "@findersfee/domain/payouts/reference";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { responseError } from "../response-error.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { type PaidOut, type PaidOutRow, payOut, upload } from "./payout-run.ts";

export interface ResultTest {
  service: TestService;
  run: PaidOut;
  payouts: [PaidOutRow, PaidOutRow, PaidOutRow, PaidOutRow];
}

/** Gives each test a payout run with four payouts; a payer can report their results. */
export function beforeEachWithPayouts(use: (test: ResultTest) => void): void {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedTestService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const run = await payOut(service, ["12.50 USD", "1234.05 USD", "3 USD", "4 USD"]);
    use({ service, run, payouts: run.payouts as ResultTest["payouts"] });
  });
}

const TABLES = ["payouts", "commissions", "ledger_entries", "balances", "mails", "audit_log_entries"];

/** All state that a result file could change. */
export async function stored({ database }: TestService): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await database<{ row: string }[]>`
      select to_jsonb(stored)::text as row from ${database(table)} stored order by 1`;
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

/** The error of a rejected file, which must not change anything. */
export async function errorOf(
  service: TestService,
  of: Pick<PaidOut, "staff" | "run_id">,
  file: string | Uint8Array,
  format = "csv",
) {
  const before = await stored(service);
  const error = responseError("rest", await upload(of, `format=${format}`, file));
  expect(await stored(service)).toEqual(before);
  return error;
}

export const CSV = "payout_id,amount,currency,status,reason";

export function csvLine(
  { id, amount, currency }: Pick<PaidOutRow, "id" | "amount" | "currency">,
  status: string,
  reason = "",
) {
  return [id, amount, currency, status, reason].join(",");
}

export const ACTIVITY =
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Item ID","Custom Number"';

export function activityLine({ id, amount, currency }: PaidOutRow, status: string): string {
  const gross = Number(amount).toLocaleString("en-US", { minimumFractionDigits: 2 });
  const cells = ["11/20/2026", "10:00:00", "PST", "Partner", "Mass payment", status, currency, `-${gross}`];
  return [...cells, "0.00", `-${gross}`, "0C413693MN970190K", "", referenceOf(id)]
    .map((cell) => `"${cell}"`)
    .join(",");
}

export const TRANSFERS =
  'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note';

export function transferLine({ id, amount, currency }: PaidOutRow, status: string): string {
  const money = Number(amount).toString().replace(/^\d+$/, "$&.0");
  const head = `"TRANSFER-1",${status},OUT,"2026-11-20 10:00:00","2026-11-20 10:05:00",0.50,${currency},,,Acme`;
  return `${head},${money},${currency},"Partner",${money},${currency},1.0,${shortReferenceOf(id)},B1,Jane,General,`;
}

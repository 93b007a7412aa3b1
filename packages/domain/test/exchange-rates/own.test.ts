/* Rates that an organization adds, and its notices about missing ones. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decideWaitingForRates } from "../../src/attribution/decide-waiting-for-rates.ts";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import type { Context } from "../../src/context.ts";
import { fetchDueRates } from "../../src/exchange-rates/fetch.ts";
import { DECIDE_WAITING, importExchangeRates } from "../../src/exchange-rates/import.ts";
import { getConversionState, listExchangeRates } from "../../src/exchange-rates/list.ts";
import { createExchangeRate, importOwnExchangeRates } from "../../src/exchange-rates/own.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { getHealth } from "../../src/reports/health/get.ts";
import { addPartner, click, commissions, outcomes, report } from "../attribution/program.ts";
import { checkout, payment, second } from "../attribution/reported.ts";
import { onDay } from "../dates.ts";
import { makeContext } from "../subscriber.ts";
import { ecbFile } from "./files.ts";

const NOW = new Date("2026-11-27T12:00:00Z");

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`truncate exchange_rates, organization_exchange_rates, exchange_rates_fetch`;
  });
  context = await makeContext(test.database);
});

const dirham = (rate = "3.9705", day = "2026-11-26") =>
  createExchangeRate(context, { currency: "AED", day, rate }, NOW);
const known = async (of: Context = context) => (await listExchangeRates(of, NOW)).rates;

describe("a rate that a member adds", () => {
  it("belongs to the organization, and is in its audit log", async () => {
    expect(await dirham()).toEqual({ added: 1, corrected: 0 });
    expect(await dirham()).toEqual({ added: 0, corrected: 0 });
    expect(await dirham("3.98")).toEqual({ added: 0, corrected: 1 });
    expect(await known()).toEqual([
      { currency: "AED", rate: "3.98", source: "manual", day: "2026-11-26", age_days: 1 },
    ]);
    expect(await known(await makeContext(test.database))).toEqual([]);
    const { data } = await listAuditEntries(context, { limit: 10, resource: "settings" });
    expect(data.map(({ after }) => after)).toEqual([
      { exchange_rates: "AED 3.98 (2026-11-26)" },
      { exchange_rates: "AED 3.9705 (2026-11-26)" },
    ]);
  });

  it("gives way to a rate of the service that counts on the day", async () => {
    await createExchangeRate(context, { currency: "USD", day: "2026-11-27", rate: "9" }, NOW);
    await importExchangeRates(test.database, ecbFile({ "2026-11-20": { USD: "1.0812" } }));
    expect(await known()).toMatchObject([{ rate: "1.0812", source: "ecb", age_days: 7 }]);
    expect((await listExchangeRates(context, new Date("2026-11-28T00:00:00Z"))).rates).toMatchObject([
      { rate: "9", source: "manual", age_days: 1 },
    ]);
  });

  it("is not of a day that has not come", async () => {
    await expect(dirham("3.9", "2026-11-28")).rejects.toMatchObject({ issues: [{ path: "day" }] });
    const file = ecbFile({ "2026-11-28": { AED: "3.9" } });
    await expect(importOwnExchangeRates(context, file, NOW)).rejects.toMatchObject({
      issues: [{ path: "file", message: "The day 2026-11-28 has not come yet." }],
    });
  });
});

describe("a file that a member uploads", () => {
  it("adds the rates of all its days", async () => {
    const file = ecbFile({ "2026-11-26": { USD: "1.0812", JPY: "163.4" }, "2026-11-25": { USD: "1.08" } });
    expect(await importOwnExchangeRates(context, file, NOW)).toEqual({
      rates: 3,
      first_day: "2026-11-25",
      last_day: "2026-11-26",
      added: 3,
      corrected: 0,
    });
    expect(await known()).toMatchObject([
      { currency: "JPY", rate: "163.4", source: "file" },
      { currency: "USD", rate: "1.0812", source: "file" },
    ]);
  });

  it("that cannot be read says where and why", async () => {
    const file = "Date,USD\n2026-11-26,abc";
    await expect(importOwnExchangeRates(context, file, NOW)).rejects.toMatchObject({
      issues: [{ path: "file", message: "Line 2 has no valid rate of USD." }],
    });
  });
});

describe("payments that wait for a rate", () => {
  const waiting = async () => {
    await updateSettings(context, { converts_fixed_amounts: true });
    const { affiliate_id } = await addPartner(context, { commission_type: "fixed", commission_amount: 50 });
    const click_id = await click(context, { affiliate_id, at: second(1) });
    const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...customer, at: second(20), currency: "AED", revenue_minor: 50_000n }),
    );
  };

  it("are decided with the organization's own rate beside one of the service", async () => {
    await waiting();
    await importExchangeRates(test.database, ecbFile({ [onDay(-1)]: { USD: "1.08" } }));
    expect(await decideWaitingForRates(test.database)).toBe(0);
    await createExchangeRate(context, { currency: "AED", day: onDay(0), rate: "3.9705" });
    const [job] = await test.database`
      select task_identifier as task from graphile_worker.jobs where task_identifier = ${DECIDE_WAITING}`;
    expect(job).toEqual({ task: DECIDE_WAITING });
    expect(await decideWaitingForRates(test.database)).toBe(1);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
    // 50.00 × 3.9705 ÷ 1.08 = 183.8194…
    expect(await commissions(context)).toMatchObject([{ commission_minor: 18_382n }]);
  });

  it("are reported, with the age of the rates and a failed fetch, to organizations that convert", async () => {
    expect(await getConversionState(context, NOW)).toBeNull();
    expect((await listAttention(context, NOW)).conversion).toBeNull();
    await waiting();
    const url = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";
    const fetchFile = () => Promise.reject(new Error("The server answered with status 503."));
    await expect(fetchDueRates(test.database, { url, fetchFile, now: NOW })).rejects.toThrow();
    const missing = {
      newest_day: null,
      is_stale: true,
      waiting_payments: 1,
      fetch_error: "The server answered with status 503.",
      fetched_at: null,
    };
    expect((await listAttention(context, NOW)).conversion).toEqual(missing);
    expect((await getHealth(context)).conversion).toEqual(missing);
    await importExchangeRates(test.database, ecbFile({ "2026-11-23": { USD: "1.08" } }));
    expect(await getConversionState(context, NOW)).toMatchObject({
      newest_day: "2026-11-23",
      is_stale: false,
    });
    const later = new Date("2026-11-28T00:00:00Z");
    expect(await getConversionState(context, later)).toMatchObject({ is_stale: true });
    await updateSettings(context, { converts_fixed_amounts: false });
    expect(await getConversionState(context, later)).toMatchObject({ waiting_payments: 1 });
  });
});

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it("a rate is stored with its entry and job, or not at all", async () => {
    await failEachCall(test.url, kind, async (database) => {
      context = await makeContext(test.database);
      const rate = { currency: "AED", day: "2026-11-26", rate: "3.9705" };
      await createExchangeRate({ ...context, database }, rate, NOW).catch(() => undefined);
      const stored = (await known()).length;
      const { data } = await listAuditEntries(context, { limit: 10, resource: "settings" });
      expect(data).toHaveLength(stored);
      await createExchangeRate(context, rate, NOW);
      expect(await known()).toHaveLength(1);
    });
  });
});

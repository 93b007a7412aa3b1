/* Stored rates: new ones, corrections, and the rate that counts on a day. */
import { findExchangeRates, findRatesFetch } from "@findersfee/database/exchange-rates";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchDueRates } from "../../src/exchange-rates/fetch.ts";
import { importExchangeRates } from "../../src/exchange-rates/import.ts";
import { makeContext } from "../subscriber.ts";
import { ecbFile } from "./files.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  await test.database.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`truncate exchange_rates, organization_exchange_rates, exchange_rates_fetch`;
  });
});

const stored = async () => [
  ...(await test.database`
    select day::text, currency, revision, trim_scale(rate)::text as rate from exchange_rates
    order by day, currency, revision`),
];

const FILE = ecbFile({ "2026-11-26": { USD: "1.0812", JPY: "163.40" }, "2026-11-25": { USD: "1.08" } });

describe("a file", () => {
  it("adds its rates once, and corrects known ones by a revision", async () => {
    expect(await importExchangeRates(test.database, FILE)).toEqual({
      rates: 3,
      first_day: "2026-11-25",
      last_day: "2026-11-26",
      added: 3,
      corrected: 0,
    });
    expect(await importExchangeRates(test.database, FILE)).toMatchObject({ added: 0, corrected: 0 });
    const corrected = ecbFile({ "2026-11-26": { USD: "1.0813" }, "2026-11-27": { USD: "1.09" } });
    expect(await importExchangeRates(test.database, corrected)).toMatchObject({ added: 1, corrected: 1 });
    expect(await stored()).toEqual([
      { day: "2026-11-25", currency: "USD", revision: 1, rate: "1.08" },
      { day: "2026-11-26", currency: "JPY", revision: 1, rate: "163.4" },
      { day: "2026-11-26", currency: "USD", revision: 1, rate: "1.0812" },
      { day: "2026-11-26", currency: "USD", revision: 2, rate: "1.0813" },
      { day: "2026-11-27", currency: "USD", revision: 1, rate: "1.09" },
    ]);
  });

  it("that is damaged stores nothing", async () => {
    const damaged = FILE.replace("1.08'", "1,08'");
    await expect(importExchangeRates(test.database, damaged)).rejects.toThrow("no valid rate of USD");
    expect(await stored()).toEqual([]);
  });

  it("is stored once when two imports run at the same time", async () => {
    const both = [importExchangeRates(test.database, FILE), importExchangeRates(test.database, FILE)];
    expect((await Promise.all(both)).map(({ added }) => added).sort()).toEqual([0, 3]);
    expect(await stored()).toHaveLength(3);
  });

  it.each(LOST_ANSWERS)("is stored as a whole when a call fails (%s)", async (kind) => {
    let attempts = 0;
    await failEachCall(test.url, kind, async (database) => {
      attempts += 1;
      const file = ecbFile({ [`2026-01-${String(attempts).padStart(2, "0")}`]: { USD: "1.1", GBP: "0.8" } });
      const before = (await stored()).length;
      await importExchangeRates(database, file).catch(() => undefined);
      expect([0, 2]).toContain((await stored()).length - before);
      await importExchangeRates(test.database, file);
      expect((await stored()).length - before).toBe(2);
    });
  });
});

it("rows never change", async () => {
  await importExchangeRates(test.database, FILE);
  await expect(test.database`update exchange_rates set rate = 2`).rejects.toThrow("is append-only");
  await expect(test.database`delete from exchange_rates`).rejects.toThrow("is append-only");
});

describe("the rate that counts on a day", () => {
  const rateOn = async (on_day: string, currency = "USD", organization_id?: string) => {
    const id = organization_id ?? (await makeContext(test.database)).organization.id;
    const [found] = await findExchangeRates(test.database, id, [{ currency, on_day }]);
    return found && [found.day, found.rate, found.source];
  };

  it("is that of the day, or of the last earlier one of 7 days", async () => {
    await importExchangeRates(
      test.database,
      ecbFile({ "2026-11-20": { USD: "1.07" }, "2026-11-26": { USD: "1.0812", JPY: "163.4" } }),
    );
    await importExchangeRates(test.database, ecbFile({ "2026-11-26": { USD: "1.0813" } }));
    expect(await rateOn("2026-11-26")).toEqual(["2026-11-26", "1.0813", "ecb"]);
    expect(await rateOn("2026-11-25")).toEqual(["2026-11-20", "1.07", "ecb"]);
    expect(await rateOn("2026-12-03")).toEqual(["2026-11-26", "1.0813", "ecb"]);
    expect(await rateOn("2026-12-04")).toBeUndefined();
    expect(await rateOn("2026-11-19")).toBeUndefined();
    expect(await rateOn("2026-11-26", "GBP")).toBeUndefined();
  });

  it("is read for many payments at once", async () => {
    await importExchangeRates(test.database, FILE);
    const { organization } = await makeContext(test.database);
    const wanted = ["2026-11-25", "2026-11-26"].flatMap((on_day) =>
      ["USD", "JPY"].map((currency) => ({ currency, on_day })),
    );
    const found = await findExchangeRates(test.database, organization.id, wanted);
    expect(found.map(({ on_day, currency, rate }) => `${on_day} ${currency} ${rate}`).sort()).toEqual([
      "2026-11-25 USD 1.08",
      "2026-11-26 JPY 163.4",
      "2026-11-26 USD 1.0812",
    ]);
  });
});

describe("fetching", () => {
  const url = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";
  const at = (time: string) => new Date(`2026-11-${time}Z`);
  const fetched: string[] = [];
  const fetchFile = async (address: string) => {
    fetched.push(address);
    return FILE;
  };

  it("happens once after each publication, and each time until it succeeds", async () => {
    const fetch = (time: string, file = fetchFile) =>
      fetchDueRates(test.database, { url, fetchFile: file, now: at(time) });
    const failing = async (): Promise<string> => {
      throw new Error("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    };
    await expect(fetch("26T15:17:00", failing)).rejects.toThrow("fetch failed");
    expect(await findRatesFetch(test.database)).toEqual({
      attempted_at: at("26T15:17:00"),
      succeeded_at: null,
      error: "fetch failed: connect ECONNREFUSED",
    });
    expect(await fetch("26T15:47:00")).toMatchObject({ added: 3 });
    expect(await fetch("26T15:59:00")).toBeNull();
    expect(await fetch("26T16:17:00")).toMatchObject({ added: 0 });
    expect(await fetch("26T17:17:00")).toBeNull();
    expect(await fetch("27T15:59:00")).toBeNull();
    await expect(fetch("27T16:17:00", async () => "<html>")).rejects.toThrow("is no envelope");
    expect(await findRatesFetch(test.database)).toMatchObject({
      succeeded_at: at("26T16:17:00"),
      error: expect.stringContaining("is no envelope"),
    });
    expect(await fetch("27T17:17:00")).not.toBeNull();
    expect(await findRatesFetch(test.database)).toMatchObject({
      succeeded_at: at("27T17:17:00"),
      error: null,
    });
    expect(fetched).toEqual([url, url, url]);
  });

  it("ends without an address, and is no longer reported", async () => {
    await fetchDueRates(test.database, { url, fetchFile });
    expect(await fetchDueRates(test.database, { url: null, fetchFile })).toBeNull();
    expect(await findRatesFetch(test.database)).toBeNull();
  });
});

/* The daily fetch of the file of exchange rates, from a real server. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { findRatesFetch } from "@findersfee/database/exchange-rates";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { addJob } from "@findersfee/database/work/queue";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { addPartner, click, outcomes, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, second } from "@findersfee/domain/testing/attribution/reported";
import { onDay } from "@findersfee/domain/testing/dates";
import { ecbFile } from "@findersfee/domain/testing/exchange-rates/files";
import { makeContext } from "@findersfee/domain/testing/subscriber";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFetchRatesFile } from "../src/exchange-rates.ts";
import { startTestWorker } from "./test-worker.ts";

let server: Server;
let url: string;
let answer: RequestListener;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eurofxref-hist-90d.xml`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

describe("a worker", () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.close());

  it("fetches the rates, decides the payments that waited for them, and says why a fetch failed", async () => {
    const context = await makeContext(test.database);
    await updateSettings(context, { converts_fixed_amounts: true });
    const { affiliate_id } = await addPartner(context, { commission_type: "fixed", commission_amount: 50 });
    const click_id = await click(context, { affiliate_id, at: second(1) });
    const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...customer, at: second(20), currency: "EUR" }),
    );
    expect(await outcomes(context)).toEqual({ in_1: "exchange_rate_missing" });
    answer = (_, response) => response.writeHead(503).end();
    const worker = await startTestWorker(test, { exchange_rates_url: url });
    try {
      await addJob(test.database, "fetch_exchange_rates");
      await eventually(async () => {
        expect(await findRatesFetch(test.database)).toMatchObject({
          succeeded_at: null,
          error: "The server answered with status 503.",
        });
      });
      answer = (_, response) => response.end(ecbFile({ [onDay(-1)]: { USD: "1.08" } }));
      await addJob(test.database, "fetch_exchange_rates");
      await eventually(async () => {
        expect(await outcomes(context)).toEqual({ in_1: "commission" });
      });
      expect(await findRatesFetch(test.database)).toMatchObject({ error: null });
    } finally {
      await worker.stop();
    }
  });
});

describe("fetching a file", () => {
  const fetchFile = createFetchRatesFile({ allow_http: true, allow_private: true });

  it("follows no redirect, and ends at 256 KiB", async () => {
    answer = (_, response) => response.writeHead(302, { location: url }).end();
    await expect(fetchFile(url)).rejects.toThrow("The server answered with status 302.");
    answer = (_, response) => response.end("a".repeat(300 * 1024));
    await expect(fetchFile(url)).rejects.toThrow();
  });

  it("reaches no private address, unless the operator allows it", async () => {
    const guarded = createFetchRatesFile({ allow_http: true, allow_private: false });
    await expect(guarded(url)).rejects.toThrow(/private|public/);
    const encrypted = createFetchRatesFile({ allow_http: false, allow_private: true });
    await expect(encrypted(url)).rejects.toThrow(/https/);
  });
});

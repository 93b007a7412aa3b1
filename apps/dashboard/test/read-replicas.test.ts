/* What Health says of the read replicas of a service. */
import { serveTestDatabase, type TestService } from "@findersfee/api/testing/test-service";
import { Replicas } from "@findersfee/database/replicas/replicas";
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { buildDashboard } from "../scripts/build.ts";
import { finish } from "./in-browser.ts";
import { createPlace, visit } from "./program.ts";

describe.skipIf(!has_chromium)(`read replicas${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    const test = await createTestDatabase();
    // The primary itself, and a port at which no server listens.
    const url = new URL(test.url);
    const replicas = new Replicas({
      url: test.url.replace(url.host, `${url.host},127.0.0.1:1`),
      primary_url: test.url,
      pool: { poolSize: 1, prepare: true, name: "findersfee test" },
      statement_seconds: 30,
      max_lag_seconds: 5,
    });
    const close = async () => {
      await replicas.end();
      await test.close();
    };
    const applications = { dashboard: await buildDashboard() };
    service = await serveTestDatabase({ ...test, close }, { applications, replicas });
    browser = await borrowChromium();
    await eventually(() => {
      const [first] = replicas.report();
      if (first?.state !== "not_standby") throw new Error(first?.state);
    });
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it("are under Health, each with why nothing is read from it", async () => {
    const place = await createPlace(service.database);
    const watched = await visit(browser, { service, place, path: `${place.home}/settings/health` });
    const { page } = watched;
    await page.getByText("Replica 1 is not used: it is a primary, not a replica").waitFor();
    await page.getByText("Replica 2 is not used: it does not answer").waitFor();
    await page.getByText("Emails wait until a worker runs.").waitFor();
    await checkScreen(page, "health-read-replicas");
    await finish(watched);
  });
});

/* Organizations that added somebody as an affiliate, in the portal. */

import { agreeToAll, signIn } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestService } from "@findersfee/api/testing/test-service";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { closePage, openWatched, type WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";

const JANE = "jane@walk.test";
const timeout = 3 * LOAD_MILLISECONDS;

describe.skipIf(!has_chromium)(`invitations in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
  }, timeout);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function openAs(email: string, query = ""): Promise<WatchedPage> {
    const { cookies } = await signIn(service, email);
    const session = [...cookies].map(([name, value]) => ({
      ...{ name, value, domain: "127.0.0.1", path: "/", expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: "Lax" as const },
    }));
    return await openWatched(browser, `${service.url}/portal${query}`, {
      locale: "en-US",
      storageState: { cookies: session, origins: [] },
    });
  }

  it(
    "of many organizations leave what the answers mean within reach",
    async () => {
      const email = "much-invited@walk.test";
      for (let number = 1; number <= 12; number++) {
        const name =
          number === 11 ? `Association of Partner Programs ${"and Mediation ".repeat(4)}` : `Org ${number}`;
        const { trpc } = await addOrganization(service, name.trim());
        await trpc.affiliates.create.mutate({ email });
      }
      const { page } = await openAs(email);
      await page.getByRole("heading", { name: "You have 12 invitations" }).waitFor();
      expect(await page.getByRole("listitem").count()).toBe(4);
      await checkPortalScreen(page, "portal-invitations-many");
      await page.getByRole("button", { name: "Show all 12" }).click();
      expect(await page.getByRole("listitem").count()).toBe(12);
      await page.getByRole("button", { name: "Not mine: Org 1", exact: true }).click();
      await page.getByRole("heading", { name: "You have 11 invitations" }).waitFor();
      expect(await page.getByRole("listitem").count()).toBe(11);
      await closePage(page);
    },
    timeout,
  );

  it(
    "are accepted, or are not theirs",
    async () => {
      const acme = await addOrganization(service, "Acme");
      await acme.trpc.affiliates.create.mutate({ email: JANE });
      await agreeToAll(service, JANE);
      const added = [];
      for (const name of ["Globex", "Acme Security"]) {
        const { trpc } = await addOrganization(service, name);
        added.push(await trpc.affiliates.create.mutate({ email: JANE }));
      }
      const watched = await openAs(JANE, `?program=${added[0]?.id}`);
      const { page } = watched;
      await page.getByRole("heading", { name: "You have 2 invitations" }).waitFor();
      await page.getByText("Nothing is lost either way").waitFor();
      await checkPortalScreen(page, "portal-invitations");
      await page.getByRole("button", { name: "Not mine: Acme Security" }).click();
      await page.getByRole("heading", { name: "You have an invitation" }).waitFor();
      await page.goto(`${service.url}/portal`);
      await page.getByText("Open invitations: 1").waitFor();
      await checkPortalScreen(page, "portal-home-invited");
      await page.getByRole("link", { name: "Review" }).click();
      await page.getByRole("button", { name: "Accept: Globex" }).click();
      await page.getByRole("banner").getByText("Globex").waitFor();
      expect(
        await service.database`
          select agreed_at is not null as agreed, disowned_at is not null as disowned from affiliates
          where id = any (${added.map(({ id }) => id)}::uuid[]) order by id`,
      ).toEqual([
        { agreed: true, disowned: false },
        { agreed: false, disowned: true },
      ]);
      await closePage(page);
    },
    timeout,
  );
});

import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen, checkScreenAgain, takePicture } from "@findersfee/ui/testing/screens";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createPlace, type Place, type Visit } from "../program.ts";
import { type Endpoints, fillWebhooks } from "./webhooks.ts";

let empty: Place;
let endpoints: Endpoints;

describeInBrowser("webhooks", (dashboard) => {
  beforeAll(async () => {
    endpoints = await fillWebhooks(dashboard.service, dashboard.place);
    empty = await createPlace(dashboard.database, "Empty");
  });

  /** Opens a page below "Webhooks", and waits until it shows `ready`. */
  async function open(path: string, ready: string, options: Visit & { at?: Place } = {}) {
    const opened = await dashboard.open(`/developers/webhooks${path}`, options);
    await opened.page.getByText(ready).first().waitFor({ state: "attached" });
    return opened;
  }

  /** The same in the tab of the organization. */
  async function openInTab(path: string, ready: string, at = dashboard.place) {
    const opened = await dashboard.openInTab(`/developers/webhooks${path}`, at);
    await opened.page.getByText(ready).first().waitFor({ state: "attached" });
    return opened;
  }

  const screens: Record<string, () => { path: string; ready: string; at?: Place }> = {
    webhooks: () => ({ path: "", ready: "Failing since" }),
    "webhooks-empty": () => ({ path: "", ready: "No endpoints yet", at: empty }),
    "webhooks-none-match": () => ({ path: "?text=nothing", ready: "No endpoints match" }),
    deliveries: () => ({ path: `/${endpoints.failing}`, ready: "502" }),
    "deliveries-none": () => ({ path: `/${endpoints.disabled}`, ready: "No deliveries yet" }),
    "deliveries-none-match": () => ({ path: `/${endpoints.good}?error=dns`, ready: "No deliveries match" }),
    delivery: () => ({ path: `/${endpoints.failing}/${endpoints.event}`, ready: "Only a status from 200" }),
    "webhook-settings": () => ({ path: `/${endpoints.good}/settings`, ready: "whsec_" }),
    "webhook-disabled": () => ({
      path: `/${endpoints.disabled}/settings`,
      ready: "Someone in your organization",
    }),
  };

  /** Those that the short form of tests checks. */
  const USUAL = ["deliveries", "delivery", "webhook-settings"];

  it.each(FULL_TESTS ? Object.keys(screens) : USUAL)(
    "%s fits the window and breaks no rule of axe",
    async (name) => {
      const screen = screens[name]?.();
      if (screen === undefined) throw new Error(`there is no screen ${name}`);
      const { path, ready, at = dashboard.place } = screen;
      const watched = await openInTab(path, ready, at);
      await (name.endsWith("none-match") ? checkScreenAgain : checkScreen)(watched.page, name);
      await finish(watched);
    },
  );

  it("keeps the state that one chooses in the address, and finds endpoints by their URL", async () => {
    const watched = await openInTab("?state=failing", "crm.example.org");
    const { page } = watched;
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("button", { name: "Clear: State" }).click();
    await page.keyboard.press("Escape");
    await page.getByText("old.example.net").waitFor();
    await page.getByRole("textbox").fill("HOOKS.example");
    await page.waitForURL(/text=HOOKS/);
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await finish(watched);
  });

  it("adds an endpoint, says why a URL is refused, and shows the secret on demand", async () => {
    const own = await createPlace(dashboard.database, "New");
    const watched = await open("", "No endpoints yet", { at: own });
    const { page } = watched;
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("http://10.0.0.1");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByLabel("URL").and(page.locator("[aria-invalid=true]")).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await takePicture(page, "webhook-refused");
    await dialog.getByLabel("URL").fill("https://hooks.example.com");
    await dialog.getByLabel("Only selected events").click();
    await dialog.getByLabel("commission.created").click();
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("heading", { name: "hooks.example.com", level: 1 }).waitFor();
    await expect.poll(() => page.getByText("commission.created").count()).toBe(1);
    await expect.poll(() => page.getByText(/whsec_[A-Za-z0-9]/).count()).toBe(0);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(/whsec_[A-Za-z0-9+/]{20}/).waitFor();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await expect.poll(() => page.getByText(/whsec_[A-Za-z0-9]/).count()).toBe(0);
    // The refused URL is the only failed request.
    await finish(watched, ["400"]);
  });

  it("disables an endpoint and enables it again, with what it missed", async () => {
    const watched = await openInTab(`/${endpoints.good}/settings`, "whsec_");
    const { page } = watched;
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("button", { name: "Enable…" }).click();
    await page.getByRole("dialog").getByLabel("Also send the events it missed").waitFor();
    await takePicture(page, "webhook-enable");
    await page.getByRole("dialog").getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Disable" }).waitFor();
    const { trpc } = await dashboard.service.staff(dashboard.place.organization_id);
    expect(await trpc.dashboard.replays.list.query({ endpoint_id: endpoints.good })).toMatchObject([
      { kind: "missed" },
    ]);
    await finish(watched);
  });

  it("walks from failure to failure, and sends an event now, by keys", async () => {
    const watched = await openInTab(`/${endpoints.failing}?state=failed`, "502");
    const { page } = watched;
    await page.keyboard.press("f");
    await page.waitForURL(new RegExp(`${endpoints.failing}/[0-9a-f-]{36}\\?state=failed`));
    await page.getByText("Only a status from 200").waitFor();
    const first = page.url();
    await page.keyboard.press("f");
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press("f");
    await page.getByText("The receiver did not respond in time").waitFor();
    await page.keyboard.press("r");
    await page.getByText("1 delivery is on the way").waitFor();
    const sent = {
      endpoint_id: endpoints.failing,
      event_id: page.url().match(/[0-9a-f-]{36}(?=\?)/)?.[0] ?? "",
    };
    const { trpc } = await dashboard.service.staff(dashboard.place.organization_id);
    expect(await trpc.dashboard.deliveries.get.query(sent)).toMatchObject({ state: "pending", attempts: 1 });
    await page.keyboard.press("f");
    await page.getByText("No more failures on this page").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("sends selected deliveries again", async () => {
    const watched = await openInTab(`/${endpoints.good}?state=delivered`, "204");
    const { page } = watched;
    await page.getByLabel("Select all rows on this page").click();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("deliveries are on the way").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows viewers a delivery without its actions", async () => {
    const path = `/${endpoints.failing}/${endpoints.event}`;
    const watched = await open(path, "Only a status from 200", { role: "viewer" });
    const { page } = watched;
    await expect.poll(() => page.getByRole("button", { name: "Send now" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(0);
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows viewers no actions and no secret", async () => {
    const watched = await open(`/${endpoints.good}/settings`, "Admins of your organization", {
      role: "viewer",
    });
    const { page } = watched;
    for (const name of ["Send a test", "Disable", "More", "Show"]) {
      await expect
        .poll(() => page.getByRole("main").getByRole("button", { name, exact: true }).count(), {
          message: name,
        })
        .toBe(0);
    }
    await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("Failing since").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Add endpoint" }).count()).toBe(0);
    await finish(watched);
  });
});

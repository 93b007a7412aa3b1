/* The settings of an organization: its people, its names, its payouts, its history and its health. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addEndpoint } from "@findersfee/domain/testing/subscriber";
import { runJobs } from "@findersfee/domain/testing/work";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { fitsWindow, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makePerson, PASSWORD, typePassword } from "./identity/people.ts";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace, fillPlace, LONG_TEXT, type Place, type Visit } from "./program.ts";

describeInBrowser("the settings", (dashboard) => {
  const open = (place: Place, path: string, options: Visit = {}) =>
    dashboard.open(`/settings/${path}`, { at: place, ...options });

  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });

  async function expectMenu(page: Page, button: string, items: readonly string[]): Promise<void> {
    await page.getByRole("button", { name: button }).click();
    const entries = page.getByRole("menuitem");
    await entries.first().waitFor();
    await expect.poll(() => entries.allTextContents()).toEqual(items);
    const close = async () => {
      await page.keyboard.press("Escape");
      return await entries.count();
    };
    await expect.poll(close).toBe(0);
  }

  it.runIf(FULL_TESTS)(
    "lets an owner invite by a link, change the role and remove, while the person's page is open",
    async () => {
      const place = await createPlace(dashboard.database);
      const owner = await open(place, "team");
      await owner.page.getByText("Jane Doe is the only owner").waitFor();
      await expectMenu(owner.page, "Actions for Jane Doe", ["History", "Sessions"]);
      await owner.page.getByRole("button", { name: "Invite" }).click();
      const dialog = owner.page.getByRole("dialog", { name: "Invite a member" });
      await dialog.getByRole("textbox", { name: "Email" }).fill("joe@example.com");
      await dialog.getByRole("radio", { name: "Admin" }).check();
      await dialog.getByRole("button", { name: "Invite" }).click();
      await dialog.getByText("Set PUBLIC_URL so that mails can have links").waitFor();
      await dialog.getByRole("radio", { name: "Copy a link" }).check();
      expect(await axeProblems(owner.page)).toEqual([]);
      await dialog.getByRole("button", { name: "Invite" }).click();
      const passing = owner.page.getByRole("dialog", { name: "Send this link" });
      const link = (await passing.locator("code").textContent()) ?? "";
      await passing.getByRole("button", { name: "Done" }).click();
      await owner.page.getByRole("row").filter({ hasText: "joe@example.com" }).waitFor();

      const joe = await openWatched(dashboard.browser, link);
      await joe.page.getByRole("textbox", { name: "Your name" }).fill("Joe Doe");
      await joe.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await joe.page.getByRole("button", { name: "Accept the invitation" }).click();
      await joe.page.getByRole("button", { name: "Joe Doe" }).waitFor();

      await owner.page.reload();
      const actions = owner.page.getByRole("button", { name: "Actions for Joe Doe" });
      await actions.click();
      await owner.page.getByRole("menuitem", { name: "Change role" }).click();
      const changing = owner.page.getByRole("dialog", { name: "Change Joe Doe’s role" });
      await changing.getByRole("radio", { name: "Viewer" }).check();
      await changing.getByRole("button", { name: "Save" }).click();
      await owner.page.getByRole("row").filter({ hasText: "Joe Doe" }).getByText("Viewer").waitFor();
      await actions.click();
      await owner.page.getByRole("menuitem", { name: "Remove" }).click();
      await owner.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await actions.waitFor({ state: "detached" });

      const own = { headers: { "findersfee-organization": place.organization_id } };
      const codeOfJoe = async () =>
        (await joe.page.request.get(`${dashboard.service.url}/trpc/dashboard.settings.get`, own)).status();
      await expect.poll(codeOfJoe).toBe(403);
      await joe.page.getByRole("link", { name: "Commissions" }).first().click();
      await heading(joe.page, "You don’t have access to this page");
      await finish(joe, ["403"]);
      await finish(owner, ["400"]);
    },
  );

  it("asks what outlives a member, and ends their sessions", async () => {
    const place = await createPlace(dashboard.database);
    const joe = await makePerson(dashboard.service, place, { name: "Joe Doe", role: "admin" });
    const kept = await joe.api.api_keys.create.mutate({ name: "Billing", scopes: ["read", "write"] });
    await joe.api.api_keys.create.mutate({ name: "Laptop", scopes: ["admin"] });
    await joe.api.endpoints.create.mutate({
      url: "https://hooks.example.com/findersfee",
      description: "Ledger",
    });
    await joe.api.invitations.create.mutate({ email: "jill@example.com", role: "viewer", mailed: false });
    const watched = await open(place, "team");
    const { page } = watched;
    const openDialog = async (item: string) => {
      await page.getByRole("button", { name: "Actions for Joe Doe" }).click();
      await page.getByRole("menuitem", { name: item }).click();
      return page.getByRole("dialog");
    };
    const sessions = await openDialog("Sessions");
    await sessions.getByRole("button", { name: "End the session on" }).waitFor();
    await checkScreen(page, "team-sessions");
    await sessions.getByRole("button", { name: "End the session on" }).click();
    await sessions.getByText("No active sessions.").waitFor();
    await sessions.getByRole("button", { name: "Cancel" }).click();

    const changing = await openDialog("Change role");
    await changing.getByRole("radio", { name: "Viewer" }).check();
    await changing.getByText("API keys created by Joe Doe").waitFor();
    await changing.getByRole("button", { name: "Cancel" }).click();

    const removing = await openDialog("Remove");
    await removing.getByRole("checkbox", { name: "https://hooks.example.com/findersfee" }).waitFor();
    await removing.getByText("This also ends: 1 open invitation; open portal embeds").waitFor();
    await checkScreen(page, "team-remove");
    await removing.getByRole("checkbox", { name: "Billing" }).check();
    await removing.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Actions for Joe Doe" }).waitFor({ state: "detached" });
    const keys = await dashboard.database`
      select id from api_keys where created_by = ${`user ${joe.user_id}`} and revoked_at is null`;
    expect(keys).toEqual([{ id: kept.id }]);
    await finish(watched);
  });

  it("lets a viewer read and change nothing, by no direct call either", async () => {
    const place = await createPlace(dashboard.database);
    const viewer = await makePerson(dashboard.service, place, { name: "Jill Doe", role: "viewer" });
    const watched = await openWatched(
      dashboard.browser,
      `${dashboard.service.url}/sign-in?to=${place.home}/settings/team`,
    );
    const { page } = watched;
    await typePassword(page, viewer.email);
    await page.getByText("An admin or owner can invite people and change roles.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Invite" }).count()).toBe(0);
    await expectMenu(page, "Actions for Jill Doe", ["History"]);
    await dashboard.turn(page, "/settings/organization", place);
    await page.getByText("An admin or owner can change these settings.").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Name" }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole("button", { name: "Save" }).count()).toBe(0);
    await dashboard.turn(page, "/settings/health", place);
    await page.getByText("Not checked yet.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Check now" }).count()).toBe(0);
    for (const [name, data] of [
      ["organization.update", { name: "Mine" }],
      ["health.check_ledger", {}],
      ["invitations.create", { email: "me@example.com", role: "owner", mailed: false }],
      ["members.change", { user_id: viewer.user_id, role: "owner" }],
    ] as const) {
      const answer = await page.request.post(`${dashboard.service.url}/trpc/dashboard.${name}`, {
        data,
        headers: { "findersfee-organization": place.organization_id, origin: dashboard.service.url },
      });
      expect([name, answer.status()]).toEqual([name, 403]);
      expect(await answer.text()).toContain("forbidden_role");
    }
    await finish(watched);
  });

  it("lets the organization's other domains track", async () => {
    const place = await createPlace(dashboard.database);
    const watched = await open(place, "organization");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Other domains" });
    await field.fill("acme.io, https://acme-shop.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Line 2: Enter a domain, as in acme.io.").waitFor();
    await field.fill("ACME.io, acme-shop.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const [row] = await dashboard.database`
      select website_domains from organizations where id = ${place.organization_id}`;
    expect(row).toEqual({ website_domains: ["acme.io", "acme-shop.com"] });
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("acme.io, acme-shop.com");
    expect(await axeProblems(page)).toEqual([]);
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)(
    "moves to the new address of the organization, and shows both changes in the history",
    async () => {
      const place = await createPlace(dashboard.database);
      const watched = await open(place, "organization");
      const { page } = watched;
      const slug = `new-${Date.now()}`;
      await page.getByRole("textbox", { name: "Dashboard address" }).fill("Not an address");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Must be lower-case letters and digits").waitFor();
      await page.getByRole("textbox", { name: "Dashboard address" }).fill(slug);
      await page.getByRole("textbox", { name: "Name" }).fill("Ücme");
      await page.getByRole("textbox", { name: "Reply-to email" }).fill("partners@example.com");
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL((url) => url.pathname === `/o/${slug}/settings/organization`);
      await page.getByRole("link", { name: "History" }).first().click();
      await heading(page, "History");
      const entry = page.getByRole("listitem").filter({ hasText: "changed organization" });
      await entry.locator("summary").click();
      await entry.getByRole("row").filter({ hasText: "Name" }).getByText("Ücme").waitFor();
      await entry.getByRole("row").filter({ hasText: "Support email" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Person" }).click();
      await page.getByRole("menuitemcheckbox", { name: /^Operator/ }).click();
      await expect.poll(() => page.url()).toContain("by=operator");
      await entry.waitFor({ state: "detached" });
      await finish(watched, ["400"]);
    },
  );

  it.runIf(FULL_TESTS)("shows the changes of one thing from the page of each", async () => {
    const place = await createPlace(dashboard.database);
    const { organization_id, context } = place;
    await fillPlace(place);
    const { id: endpoint_id } = await addEndpoint(context);
    const idIn = async (table: string) => {
      const sql = dashboard.database;
      const [row] = await sql<{ id: string }[]>`
        select id from ${sql(table)} where organization_id = ${organization_id} limit 1`;
      return row?.id ?? "";
    };
    const watched = await dashboard.open("/connections/generic", { at: place });
    const { page } = watched;
    const things: [path: string, thing: string, link?: string][] = [
      ["connections/generic", "generic"],
      [`campaigns/${await idIn("campaigns")}/rules`, await idIn("campaigns")],
      [`developers/webhooks/${endpoint_id}`, endpoint_id],
      [`affiliates/${await idIn("affiliates")}?tab=history`, await idIn("affiliates"), "View in history"],
      [`commissions/${await idIn("commissions")}`, await idIn("commissions")],
      [`payments/${await idIn("payment_decisions")}`, await idIn("payment_decisions")],
      [`payouts/${await idIn("payouts")}`, await idIn("payouts")],
      [`payouts/runs/${await idIn("payout_runs")}`, await idIn("payout_runs")],
    ];
    for (const [path, thing, name = "History"] of things) {
      await dashboard.turn(page, `/${path}`, place);
      await page.locator("main").getByRole("link", { name, exact: true }).click();
      await heading(page, "History");
      await expect.poll(() => page.url()).toContain(`/settings/history?thing=${thing}`);
    }
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows each amount of the history in its own unit", async () => {
    const place = await createPlace(dashboard.database);
    const after = {
      commission_type: "percentage",
      commission_amount: 30,
      limit_type: "months",
      limit_amount: 12,
    };
    await dashboard.database`
      insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, currency, created_at)
      values (${place.organization_id}, ${crypto.randomUUID()}, 'campaign', ${crypto.randomUUID()}, 'updated', 'operator',
        ${JSON.stringify({ commission_type: "fixed", commission_amount: 5, limit_type: "none", limit_amount: null })}::text::json,
        ${JSON.stringify(after)}::text::json, 'USD', now())`;
    const watched = await open(place, "history");
    const { page } = watched;
    await page.locator("summary").filter({ hasText: "changed campaign" }).click();
    await page.getByRole("row", { name: "Commission amount $5.00 30%" }).waitFor();
    await page.getByRole("row", { name: "Limit amount — 12" }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("keeps long texts in the history within the window", async () => {
    const place = await createPlace(dashboard.database);
    await dashboard.database`
      insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
      values (${place.organization_id}, ${crypto.randomUUID()}, 'campaign', ${crypto.randomUUID()}, 'updated', 'operator',
        ${JSON.stringify({ name: "a", terms: null })}::text::json,
        ${JSON.stringify({ name: LONG_TEXT, terms: LONG_TEXT })}::text::json, now())`;
    const watched = await open(place, "history");
    const { page } = watched;
    await page.locator("summary").filter({ hasText: "changed campaign" }).click();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await fitsWindow(page);
      expect(await axeProblems(page)).toEqual([]);
    }
    await finish(watched);
  });

  it("saves payout settings, and explains a value that it cannot read", async () => {
    const place = await createPlace(dashboard.database);
    const watched = await open(place, "payouts");
    const { page } = watched;
    await page.getByRole("textbox", { name: "Days" }).fill("30");
    await page.getByRole("textbox", { name: "Minimum in USD" }).fill("fifty");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter an amount, such as 50.00.").waitFor();
    await page.getByRole("textbox", { name: "Minimum in USD" }).fill("50");
    await page.getByRole("combobox", { name: "Day of the month" }).selectOption("5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const [row] = await dashboard.database`
      select hold_days, payout_day, minimum_payouts from organizations where id = ${place.organization_id}`;
    expect(row).toEqual({ hold_days: 30, payout_day: 5, minimum_payouts: { USD: "5000" } });
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)("checks the ledger, and sends a mail again that was given up", async () => {
    const place = await createPlace(dashboard.database);
    await dashboard.database`
      insert into mails (organization_id, kind, about, recipient, state, reason, due_at, finished_at)
      values (${place.organization_id}, 'invitation', 'x', 'joe@example.com', 'given_up', '550 no such user', null, now())`;
    const watched = await open(place, "health");
    const { page } = watched;
    await page.getByText("550 no such user").waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("550 no such user").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("Checking: 0 of").waitFor();
    await runJobs(place.context);
    await page.getByText(/^Adds up: \d+ rules hold$/).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await finish(watched);
  });
});

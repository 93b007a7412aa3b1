/* People who come by links: invitations, setup, a forgotten password, a confirmed email. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { mailPasswordReset } from "@findersfee/domain/identity/accounts/reset-password";
import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { createUser } from "@findersfee/domain/identity/users/create";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { leave, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createPlace } from "../program.ts";
import { type Member, makePerson, PASSWORD, SECRETS_KEY, typePassword } from "./people.ts";

describeInBrowser("people with links", (dashboard) => {
  let owner: Member;

  beforeAll(async () => {
    owner = await makePerson(dashboard.service, dashboard.place, { name: "Jane Doe", role: "owner" });
  });

  const open = (path: string) => openWatched(dashboard.browser, `${dashboard.service.url}${path}`);

  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });

  /** A link for an address, as the team's page copies it: its path and its token. */
  async function invite(email: string): Promise<string> {
    const { link } = await owner.api.invitations.create.mutate({ email, role: "admin", mailed: false });
    const { pathname, hash } = new URL(link ?? "");
    return `${pathname}${hash}`;
  }

  /** No request has the token in its address: it would be in logs. */
  async function watchAddresses(page: Page): Promise<() => string[]> {
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    return () => addresses;
  }

  describe("an invitation", () => {
    it("makes an account for a new person, who sees the organization", async () => {
      const link = await invite("joe@example.com");
      const watched = await open("/setup");
      const { page } = watched;
      const addresses = await watchAddresses(page);
      await page.goto(`${dashboard.service.url}${link}`, { timeout: LOAD_MILLISECONDS });
      await heading(page, "Join Acme");
      await page.getByText("Jane Doe invites you as admin.").waitFor();
      await expect.poll(() => new URL(page.url()).hash).toBe("");
      expect(await axeProblems(page)).toEqual([]);
      await page.getByRole("textbox", { name: "Your name" }).fill("Joe Doe");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Accept the invitation" }).click();
      await page.waitForURL((url) => url.pathname.startsWith(dashboard.place.home));
      await page.getByRole("button", { name: "Joe Doe" }).waitFor();
      const token = link.split("#")[1] ?? "";
      expect(addresses().filter((address) => address.includes(token))).toEqual([]);
      await finish(watched);
      const again = await open(link);
      await heading(again.page, "This link is no longer valid");
      await finish(again, ["404"]);
    });

    it.runIf(FULL_TESTS)("has a person with an account sign in first, and come back", async () => {
      const elsewhere = await createPlace(dashboard.database, "Elsewhere");
      const jill = await makePerson(dashboard.service, elsewhere, { name: "Jill Doe", role: "viewer" });
      const watched = await open(await invite(jill.email));
      const { page } = watched;
      await heading(page, "Join Acme");
      await page.getByRole("button", { name: "Sign in to accept" }).click();
      await typePassword(page, jill.email);
      await heading(page, "Join Acme");
      await page.getByRole("button", { name: "Accept the invitation" }).click();
      await page.waitForURL((url) => url.pathname.startsWith(dashboard.place.home));
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("has a person with another account sign out first", async () => {
      const link = await invite("jack@example.com");
      const watched = await open("/sign-in");
      const { page } = watched;
      await typePassword(page, owner.email);
      await page.waitForURL((url) => url.pathname.startsWith(dashboard.place.home));
      await page.goto(`${dashboard.service.url}${link}`, { timeout: LOAD_MILLISECONDS });
      await page.getByText(`You are signed in as ${owner.email}.`).waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Accept the invitation" }).count()).toBe(0);
      await page.getByRole("button", { name: "Sign out and continue" }).click();
      await page.getByRole("textbox", { name: "Your name" }).fill("Jack Doe");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Accept the invitation" }).click();
      await page.getByRole("button", { name: "Jack Doe" }).waitFor();
      await finish(watched);
    });
  });

  it.runIf(FULL_TESTS)("shows one page for expired, used and forged links of every kind", async () => {
    const link = await invite("late@example.com");
    await dashboard.database`update invitations set expires_at = now() where email = 'late@example.com'`;
    const forged = `#${"A".repeat(43)}`;
    const paths = [link, `/invitation${forged}`, `/setup${forged}`, "/setup#short", "/invitation", "/setup"];
    for (const path of paths) {
      const watched = await open(path);
      await heading(watched.page, "This link is no longer valid");
      await finish(watched, ["404", "400", "403"]);
    }
  });

  it.runIf(FULL_TESTS)(
    "takes each setup link and each link for a new password once, and none that has expired",
    async () => {
      const { place, service } = dashboard;
      const { organization_id } = place;
      const person = { name: "Jo Doe", email: "jo@example.com", organization_id, role: "viewer" } as const;
      const { link, user_id } = await createUser(service.database, person);
      const setup = `/setup#${link?.token}`;
      const watched = await open(setup);
      const { page } = watched;
      await heading(page, "Choose your password");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Finish" }).click();
      await page.waitForURL((url) => url.pathname.startsWith(place.home));
      await page.goto("about:blank");
      await page.goto(`${service.url}${setup}`, { timeout: LOAD_MILLISECONDS });
      await heading(page, "This link is no longer valid");

      await mailPasswordReset({ database: service.database, secrets_key: SECRETS_KEY }, person.email);
      await mailPasswordReset({ database: service.database, secrets_key: SECRETS_KEY }, person.email);
      const ids = await service.database<{ id: string }[]>`
      select id from user_verifications where user_id = ${user_id} and kind = 'password_reset' order by id`;
      const [used = "", expired = ""] = ids.map(
        ({ id }) => `/reset#${mailedToken(SECRETS_KEY, "password_reset", id)}`,
      );
      await service.database`update user_verifications set expires_at = now() where id = ${ids[1]?.id ?? ""}`;
      const reset = async (address: string) => {
        await page.goto("about:blank");
        await page.goto(`${service.url}${address}`, { timeout: LOAD_MILLISECONDS });
        await page.getByLabel("New password", { exact: true }).fill("another long password");
        await page.getByRole("button", { name: "Save password" }).click();
      };
      await reset(expired);
      await heading(page, "This link is no longer valid");
      await reset(used);
      await page.getByText("Your password has changed.").waitFor();
      await reset(used);
      await heading(page, "This link is no longer valid");
      await finish(watched, ["404", "400", "403"]);
    },
  );

  it.runIf(FULL_TESTS)("offers another link for a new password if the link is forged", async () => {
    const watched = await open(`/reset#${"A".repeat(43)}`);
    const { page } = watched;
    await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Save password" }).click();
    await heading(page, "This link is no longer valid");
    await page.getByRole("link", { name: "Request a link" }).click();
    await heading(page, "Reset your password");
    await finish(watched, ["404", "400", "403"]);
  });

  it.runIf(FULL_TESTS)("confirms an email after the sign-in, once", async () => {
    const watched = await open(await invite("jim@example.com"));
    const { page } = watched;
    await page.getByRole("textbox", { name: "Your name" }).fill("Jim Doe");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await page.getByRole("button", { name: "Jim Doe" }).waitFor();
    await leave(page);
    const [mail] = await dashboard.database<[{ about: string }]>`
      select about from mails where kind = 'email_confirmation' and recipient = 'jim@example.com'`;
    const link = `/sign-in/confirm-email#${mailedToken(SECRETS_KEY, "email", mail.about)}`;
    await page.goto(`${dashboard.service.url}${link}`, { timeout: LOAD_MILLISECONDS });
    await typePassword(page, "jim@example.com");
    await heading(page, "Your email is confirmed");
    expect(await axeProblems(page)).toEqual([]);
    const [jim] = await dashboard.database`select email_verified from users where email = 'jim@example.com'`;
    expect(jim?.email_verified).toBe(true);
    await page.goto("about:blank");
    await page.goto(`${dashboard.service.url}${link}`, { timeout: LOAD_MILLISECONDS });
    await heading(page, "This link is no longer valid");
    await finish(watched, ["401", "404", "400", "403"]);
  });
});

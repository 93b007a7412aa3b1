/* A person's own account: profile, passkeys, authenticator app, sessions; and the sign-ins that they make possible. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { hashAddress } from "@findersfee/domain/identity/accounts/sign-in-guesses";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import { leave, openWatched, type WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { type Member, makePerson, PASSWORD, SECRETS_KEY, typePassword } from "./people.ts";

describeInBrowser("an account", (dashboard) => {
  /** Passkeys need a name. */
  let origin: string;

  beforeAll(async () => {
    origin = dashboard.service.url.replace("127.0.0.1", "localhost");
  });

  const newMember = (name = "Jane Doe") =>
    makePerson(dashboard.service, dashboard.place, { name, role: "owner" });

  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });

  /** Signs in by the form, and opens the account. */
  async function openAccount({ email }: Member, base = dashboard.service.url): Promise<WatchedPage> {
    const watched = await openWatched(dashboard.browser, `${base}/sign-in?to=/me`);
    await typePassword(watched.page, email);
    await heading(watched.page, "Your account");
    return watched;
  }

  const section = (page: Page, name: string) =>
    page.locator("section", { has: page.getByRole("heading", { level: 2, name, exact: true }) });

  /** As if the person had signed in an hour ago. */
  const ageSessions = ({ user_id }: Member) => dashboard.database`
    update user_sessions set created_at = created_at - interval '1 hour', confirmed_at = null
    where user_id = ${user_id}`;

  /** A passkey device that verifies its person at once. */
  async function addAuthenticator(page: Page): Promise<void> {
    const protocol = await page.context().newCDPSession(page);
    await protocol.send("WebAuthn.enable");
    await protocol.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
  }

  it("changes the name, which the menu shows, and the preferences", async () => {
    const watched = await openAccount(await newMember());
    const { page } = watched;
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill("Jane Roe");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Single-key shortcuts" }).uncheck();
    await page.getByRole("radio", { name: "Dark" }).check();
    const time = page.getByRole("time").first();
    await expect.poll(() => time.textContent()).toMatch(/^[A-Z][a-z]+ \d{1,2}$/);
    await page.getByRole("radio", { name: "Day first" }).check();
    await expect.poll(() => time.textContent()).toMatch(/^\d{1,2} [A-Z][a-z]+$/);
    await dashboard.turn(page, "/payments");
    await page.getByRole("button", { name: "Jane Roe" }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.className")).toBe("dark");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Jane Roe" }).click();
    await page.getByRole("menuitem", { name: "Your account" }).click();
    await heading(page, "Your account");
    await page.getByRole("link", { name: "Acme" }).first().click();
    await page.waitForURL((url) => url.pathname.startsWith(dashboard.place.home));
    await finish(watched);
  });

  it("changes the password, and says which one is wrong", async () => {
    const member = await newMember();
    const watched = await openAccount(member);
    const { page } = watched;
    await page.getByRole("button", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog", { name: "Change password" });
    await dialog.getByLabel("Current password", { exact: true }).fill("not the password");
    await dialog.getByLabel("New password", { exact: true }).fill("another long password");
    await dialog.getByRole("button", { name: "Save password" }).click();
    await dialog.getByText("Is not the current password.").waitFor();
    await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Save password" }).click();
    await page.getByText("Password changed.").waitFor();
    await expect.poll(() => section(page, "Sessions").getByRole("listitem").count()).toBe(1);
    await finish(watched, ["400"]);
  });

  it("changes policies by a passkey, without a password", async () => {
    const member = await newMember();
    const watched = await openAccount(member, origin);
    const { page } = watched;
    await addAuthenticator(page);
    await section(page, "Passkeys").getByRole("button", { name: "Add a passkey" }).click();
    const adding = page.getByRole("dialog", { name: "Add a passkey" });
    await adding.getByRole("textbox", { name: "Name" }).fill("Laptop");
    await adding.getByRole("button", { name: "Continue" }).click();
    await section(page, "Passkeys").getByText("Never used").waitFor();
    await page.goto(`${origin}${dashboard.place.home}/settings/security`);
    await heading(page, "Security");
    await page.getByRole("textbox", { name: "Hours after sign-in" }).fill("700");
    await page.getByRole("button", { name: "Save changes" }).click();
    const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
    await confirm.getByRole("button", { name: "Use your password instead" }).click();
    await confirm.getByLabel("Password", { exact: true }).waitFor();
    await confirm.getByRole("button", { name: "Cancel" }).click();
    await dashboard.database`delete from user_passwords where user_id = ${member.user_id}`;
    await page.reload();
    await page.getByRole("textbox", { name: "Hours after sign-in" }).fill("700");
    await page.getByRole("button", { name: "Save changes" }).click();
    await confirm.getByRole("button", { name: "Use a passkey" }).waitFor();
    await checkScreen(page, "confirm-by-passkey");
    await confirm.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await dashboard.database`
      delete from security_policies where organization_id = ${dashboard.place.organization_id}`;
    expect(watched.complaints.filter((text) => !text.includes("403"))).toEqual([]);
    // Its passkey would sign the next test in.
    await page.context().close();
  });

  it.runIf(FULL_TESTS)("adds a passkey after the password, signs in with it, and removes it", async () => {
    const member = await newMember();
    const watched = await openAccount(member, origin);
    const { page } = watched;
    await addAuthenticator(page);
    await ageSessions(member);
    const passkeys = section(page, "Passkeys");
    await passkeys.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Laptop");
    await dialog.getByRole("button", { name: "Continue" }).click();
    const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
    await confirm.getByLabel("Password", { exact: true }).fill("something else");
    await confirm.getByRole("button", { name: "Confirm" }).click();
    await confirm.getByText("Is not your password.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await confirm.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await confirm.getByRole("button", { name: "Confirm" }).click();
    await passkeys.getByText("Never used").waitFor();

    // The browser offers it in the field for the email, and the authenticator accepts at once.
    await leave(page);
    await page.goto(`${origin}/sign-in?to=/me`, { timeout: LOAD_MILLISECONDS });
    await heading(page, "Your account");
    await passkeys.getByText("Last used").waitFor();
    await leave(page);
    await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
    await page.goto(`${origin}/sign-in?to=/me`, { timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await heading(page, "Your account");

    await passkeys.getByRole("button", { name: "Rename" }).click();
    const renaming = page.getByRole("dialog", { name: "Rename passkey" });
    await renaming.getByRole("textbox", { name: "Name" }).fill("Desk");
    await renaming.getByRole("button", { name: "Save" }).click();
    await passkeys.getByText("Desk").waitFor();
    await passkeys.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await passkeys.getByRole("listitem").waitFor({ state: "detached" });
    const { complaints } = watched;
    expect(complaints.filter((text) => !/40[013]/.test(text))).toEqual([]);
    await page.context().close();
  });

  it.runIf(FULL_TESTS)(
    "sets up an authenticator app; a sign-in then takes its code or a recovery code",
    async () => {
      const member = await newMember();
      const watched = await openAccount(member);
      const { page } = watched;
      await page.getByRole("button", { name: "Set up" }).click();
      const dialog = page.getByRole("dialog", { name: "Set up your authenticator app" });
      await dialog.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
      await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
      await dialog.getByRole("button", { name: "Turn on" }).click();
      await dialog.getByText("Is not the app's current code.").waitFor();
      await dialog.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, stepOf(new Date())));
      await dialog.getByRole("button", { name: "Turn on" }).click();
      const saving = page.getByRole("dialog", { name: "Save your recovery codes" });
      await saving.getByRole("listitem").first().waitFor();
      const codes = await saving.getByRole("listitem").allTextContents();
      expect(codes).toHaveLength(10);
      const downloading = page.waitForEvent("download");
      await saving.getByRole("button", { name: "Download" }).click();
      expect((await downloading).suggestedFilename()).toBe("findersfee-recovery-codes.txt");
      await saving.getByRole("button", { name: "I saved them" }).click();
      await page.getByText("10 recovery codes left").waitFor();

      // The next code: each one is taken once.
      for (const code of [totpCode(secret, stepOf(new Date()) + 1), codes[0] ?? ""]) {
        await leave(page);
        await page.goto(`${dashboard.service.url}/sign-in?to=/me`, { timeout: LOAD_MILLISECONDS });
        await typePassword(page, member.email);
        await heading(page, "Enter the code");
        await page.getByRole("textbox", { name: "Code" }).fill(code);
        await page.getByRole("button", { name: "Continue" }).click();
        await heading(page, "Your account");
      }
      await page.getByText("9 recovery codes left").waitFor();
      await page.getByRole("button", { name: "Turn off" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
      const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
      await confirm.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await confirm.getByRole("textbox", { name: "Code" }).waitFor();
      await checkScreen(page, "confirm-with-code");
      await confirm.getByRole("textbox", { name: "Code" }).fill(codes[1] ?? "");
      await confirm.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("button", { name: "Set up" }).waitFor();
      await section(page, "Security activity").getByText("Authenticator app removed").waitFor();
      await finish(watched, ["400", "401", "403"]);
    },
  );

  it.runIf(FULL_TESTS)(
    "confirms a browser by a mailed link, once strangers have used up their guesses",
    async () => {
      const member = await newMember();
      const { email } = member;
      const hash = hashAddress(SECRETS_KEY, email);
      await dashboard.database`
      insert into sign_in_guesses (email_hash, full_at) values (${hash}, now() + interval '1 year')`;
      const watched = await openWatched(dashboard.browser, `${dashboard.service.url}/sign-in?to=/me`);
      const { page } = watched;
      await typePassword(page, email);
      await page.getByText("Too many wrong passwords were tried").waitFor();
      await checkScreen(page, "sign-in-limited");
      await page.getByRole("button", { name: "Email me a link for this browser" }).click();
      await page.getByText("Open it in this browser").waitFor();
      const [mail] = await dashboard.database<[{ about: string }]>`
      select about from mails where kind = 'device_link' and recipient = ${email}`;
      const token = mailedToken(SECRETS_KEY, "device", mail.about);
      await page.goto(`${dashboard.service.url}/sign-in/confirm-device#${token}`, {
        timeout: LOAD_MILLISECONDS,
      });
      await page.getByRole("button", { name: "Confirm this browser" }).waitFor();
      await checkScreenAgain(page, "confirm-device");
      await page.getByRole("button", { name: "Confirm this browser" }).click();
      await heading(page, "This browser is confirmed");
      await page.goto(`${dashboard.service.url}/sign-in?to=/me`, { timeout: LOAD_MILLISECONDS });
      await typePassword(page, email);
      await heading(page, "Your account");
      const activity = section(page, "Security activity");
      await activity.getByText("Browser confirmed by email link").waitFor();
      await checkScreen(page, "account-activity");
      await finish(watched, ["429"]);
    },
  );

  it.runIf(FULL_TESTS)(
    "ends a session from another browser, whose open page goes to the sign-in and returns",
    async () => {
      const member = await newMember("Jim Doe");
      const elsewhere = await openWatched(
        dashboard.browser,
        `${dashboard.service.url}/sign-in?to=${dashboard.place.home}/payments`,
      );
      await typePassword(elsewhere.page, member.email);
      await heading(elsewhere.page, "Payments");
      const watched = await openAccount(member);
      const { page } = watched;
      const sessions = section(page, "Sessions");
      // The one of the setup link, the other browser's and this one.
      await expect.poll(() => sessions.getByRole("listitem").count()).toBe(3);
      await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
      await page.getByRole("dialog").getByText("2 other sessions end immediately.").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere else" }).click();
      await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
      const statusOfMe = async () =>
        (await elsewhere.page.request.get(`${dashboard.service.url}/account/trpc/me.get`)).status();
      await expect.poll(statusOfMe).toBe(401);
      await elsewhere.page.getByRole("link", { name: "Commissions" }).first().click();
      await heading(elsewhere.page, "Sign in to Findersfee");
      await typePassword(elsewhere.page, member.email);
      await heading(elsewhere.page, "Commissions");
      await finish(elsewhere, ["401"]);
      await finish(watched);
    },
  );
});

import type { Context } from "@findersfee/domain/context";
import { confirmDevice, mailDeviceLink } from "@findersfee/domain/identity/accounts/confirm-device";
import { recordSecurityEvent } from "@findersfee/domain/identity/accounts/record-security-event";
import { mailPasswordReset, resetPassword } from "@findersfee/domain/identity/accounts/reset-password";
import { signIn } from "@findersfee/domain/identity/accounts/sign-in";
import { acceptInvitation } from "@findersfee/domain/identity/invitations/accept";
import { createInvitation } from "@findersfee/domain/identity/invitations/create";
import { revokeInvitation } from "@findersfee/domain/identity/invitations/revoke";
import { signIn as signInMember, WAITING_BROWSER } from "@findersfee/domain/testing/accounts";
import { beforeEach, describe, expect, it } from "vitest";
import type { ReceivedMail } from "../mail-server.ts";
import { expectSameWords, hurryMails, mailSender, mailStates, PUBLIC_URL } from "../mailing.ts";
import { setOwners } from "../owners.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { beforeEachInMailProgram, type MailProgram } from "./mail-program.ts";

const PASSWORD = "correct horse battery";

let mails: MailProgram;

beforeEachInMailProgram((made) => {
  mails = made;
});

let context: Context;

beforeEach(async () => {
  const { organization } = mails.program.context;
  const { user_id } = await signInMember(mails.test.database, {
    organization_id: organization.id,
    role: "owner",
  });
  context = { ...mails.program.context, actor: { kind: "user", id: user_id } };
});

async function invite(email: string): Promise<string> {
  const inviting = { secrets_key: SECRETS_KEY, dashboard_url: PUBLIC_URL, can_mail: true };
  return (await createInvitation(context, inviting, { email, role: "admin", mailed: true })).id;
}

/** Sends the due mails; returns the only one, and the token of the link in it, which begins with this path. */
async function mailWithToken(page: string): Promise<{ mail: ReceivedMail; token: string }> {
  const mail = await mails.theMail();
  const [, token = ""] = mail.text.split(`${PUBLIC_URL}${page}`);
  return { mail, token: token.slice(0, 43) };
}

describe("an invitation", () => {
  it("is mailed with a link that works, although no table has it", async () => {
    await invite("joe@example.com");
    const stored = JSON.stringify(
      await mails.test
        .database`select row_to_json(mails)::text, (select json_agg(invitations)::text from invitations) from mails`,
    );
    const { mail, token } = await mailWithToken("/invitation#");
    expect(mail.recipients).toEqual(["joe@example.com"]);
    expect(mail.headers.subject).toBe("Jane Doe invited you to Acme");
    expectSameWords(mail);
    expect(stored).not.toContain(token);
    const accepting = {
      database: mails.test.database,
      secrets_key: SECRETS_KEY,
      user_id: null,
      browser: WAITING_BROWSER,
    };
    await acceptInvitation(accepting, { token, name: "Joe", password: PASSWORD });
    const joe = { email: "joe@example.com", password: PASSWORD };
    expect(
      await signIn({ database: mails.test.database, secrets_key: SECRETS_KEY }, joe, WAITING_BROWSER),
    ).toMatchObject({ next: "done" });
  });

  it("is mailed once the mail server accepts it", async () => {
    await invite("jill@example.com");
    mails.server.refusal = { at: "recipient", code: 450 };
    await mails.send();
    expect(await mailStates(mails.test.database)).toMatchObject([{ state: "due", failures: 1 }]);
    mails.server.refusal = null;
    await hurryMails(mails.test.database);
    const { token } = await mailWithToken("/invitation#");
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it("is not mailed once it is revoked", async () => {
    await revokeInvitation(context, await invite("jack@example.com"));
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { state: "dropped", reason: "the invitation was accepted or revoked, or has expired" },
    ]);
  });
});

describe("a password reset", () => {
  it("is mailed with a link that works", async () => {
    const email = "olga@example.com";
    await setOwners(mails.test.database, mails.program.organization_id, [email]);
    await mailPasswordReset({ database: mails.test.database, secrets_key: SECRETS_KEY }, email);
    const { mail, token } = await mailWithToken("/reset#");
    expect(mail.headers.subject).toBe("Choose a new password");
    expectSameWords(mail);
    await resetPassword(mails.test.database, { token, password: PASSWORD }, WAITING_BROWSER);
    expect(
      await signIn(
        { database: mails.test.database, secrets_key: SECRETS_KEY },
        { email, password: PASSWORD },
        WAITING_BROWSER,
      ),
    ).toMatchObject({
      next: "done",
    });
  });

  it("is not mailed once another link was used, nor without a public address", async () => {
    const email = "otto@example.com";
    const dependencies = { database: mails.test.database, secrets_key: SECRETS_KEY };
    await setOwners(mails.test.database, mails.program.organization_id, [email]);
    await mailPasswordReset(dependencies, email);
    const { token } = await mailWithToken("/reset#");
    await mailPasswordReset(dependencies, email);
    await resetPassword(mails.test.database, { token, password: PASSWORD }, WAITING_BROWSER);
    // The notice of the reset has its own test.
    await mails.test.database`delete from mails where kind = 'security_notice'`;
    await mails.send();
    const local = mailSender(mails.test, mails.server, { publicUrl: () => null });
    await mailPasswordReset(dependencies, email);
    await local.send().finally(() => local.close());
    expect(mails.server.received).toHaveLength(1);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { state: "sent" },
      { state: "dropped", reason: "the link was used or has expired" },
      { state: "dropped", reason: expect.stringContaining("PUBLIC_URL") },
    ]);
  });
});

describe("a link that confirms a browser", () => {
  it("is mailed with a link that works once", async () => {
    const email = "oscar@example.com";
    const dependencies = { database: mails.test.database, secrets_key: SECRETS_KEY };
    await setOwners(mails.test.database, mails.program.organization_id, [email]);
    await mailDeviceLink(dependencies, email);
    const { mail, token } = await mailWithToken("/sign-in/confirm-device#");
    expect(mail.recipients).toEqual([email]);
    expect(mail.headers.subject).toBe("Confirm your browser");
    expectSameWords(mail);
    await confirmDevice(mails.test.database, token, WAITING_BROWSER);
    const again = confirmDevice(mails.test.database, token, WAITING_BROWSER);
    await expect(again).rejects.toMatchObject({ code: "link_invalid" });
  });

  it("is not mailed once it has expired", async () => {
    const email = "orson@example.com";
    await setOwners(mails.test.database, mails.program.organization_id, [email]);
    await mailDeviceLink({ database: mails.test.database, secrets_key: SECRETS_KEY }, email);
    await mails.test.database`update user_verifications set expires_at = now() where kind = 'device'`;
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([
      { state: "dropped", reason: "the link was used or has expired" },
    ]);
  });
});

describe("a notice about security", () => {
  const browser = { ip_address: "192.0.2.1", user_agent: "Firefox <on> Linux" };

  it("is mailed to the person, with time, address, browser and passkey", async () => {
    const email = "paula@example.com";
    const user_id = await newOwner(email);
    const detail = "Paula's key";
    await recordSecurityEvent(mails.test.database, {
      user_id,
      kind: "passkey_added",
      browser,
      detail,
      mailed: true,
    });
    const mail = await mails.theMail();
    expect(mail.recipients).toEqual([email]);
    expect(mail.headers.subject).toBe("A passkey was added to your account");
    for (const text of [detail, "192.0.2.1", "Firefox <on> Linux", "Coordinated Universal Time"])
      expect(mail.text).toContain(text);
    expectSameWords(mail);
  });

  it("is mailed for each kind of event that asks for one", async () => {
    const user_id = await newOwner("pia@example.com");
    const kinds = [
      "signed_in_on_new_device",
      "signed_in_from_new_network",
      "password_changed",
      "password_reset",
      "second_factor_added",
      "second_factor_removed",
      "recovery_codes_replaced",
      "passkey_added",
      "passkey_removed",
      "sessions_ended",
    ] as const;
    for (const kind of kinds) {
      await recordSecurityEvent(mails.test.database, { user_id, kind, browser, mailed: true });
    }
    await mails.send();
    expect((await mailStates(mails.test.database)).map(({ state }) => state)).toEqual(
      kinds.map(() => "sent"),
    );
    expect(mails.server.received).toHaveLength(kinds.length);
  });

  it("is not mailed once its event was deleted", async () => {
    const user_id = await newOwner("petra@example.com");
    await recordSecurityEvent(mails.test.database, {
      user_id,
      kind: "password_changed",
      browser,
      mailed: true,
    });
    await mails.test.database`delete from security_events where user_id = ${user_id}`;
    await mails.send();
    expect(mails.server.received).toEqual([]);
    expect(await mailStates(mails.test.database)).toMatchObject([{ state: "dropped" }]);
  });

  async function newOwner(email: string): Promise<string> {
    await setOwners(mails.test.database, mails.program.organization_id, [email]);
    const [user] = await mails.test.database<[{ id: string }]>`select id from users where email = ${email}`;
    return user.id;
  }
});

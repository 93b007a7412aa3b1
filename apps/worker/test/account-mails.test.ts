import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { mailPasswordReset, resetPassword } from "@findersfee/domain/accounts/reset-password";
import { signIn } from "@findersfee/domain/accounts/sign-in";
import type { Context } from "@findersfee/domain/context";
import { acceptInvitation } from "@findersfee/domain/invitations/accept";
import { createInvitation } from "@findersfee/domain/invitations/create";
import { revokeInvitation } from "@findersfee/domain/invitations/revoke";
import { signIn as signInMember } from "@findersfee/domain/testing/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MailServer, type ReceivedMail } from "./mail-server.ts";
import { expectSameWords, hurryMails, mailSender, mailStates, Program, PUBLIC_URL } from "./mailing.ts";
import { setOwners } from "./owners.ts";
import { SECRETS_KEY } from "./subscriptions.ts";

const BROWSER = { ip_address: "192.0.2.1", user_agent: null };
const PASSWORD = "correct horse battery";

let test: TestDatabase;
let server: MailServer;
let program: Program;
let sender: ReturnType<typeof mailSender>;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  server = await MailServer.start();
  program = await Program.create(test.database);
  sender = mailSender(test, server);
});
afterEach(async () => {
  await sender.close();
  await server.close();
  await test.database`delete from mails`;
});

let context: Context;

beforeEach(async () => {
  const { organization } = program.context;
  const { user_id } = await signInMember(test.database, { organization_id: organization.id, role: "owner" });
  context = { ...program.context, actor: { kind: "user", id: user_id } };
});

async function invite(email: string): Promise<string> {
  const inviting = { secrets_key: SECRETS_KEY, dashboard_url: PUBLIC_URL, can_mail: true };
  return (await createInvitation(context, inviting, { email, role: "admin", mailed: true })).id;
}

/** Sends the due mails; returns the only one, and the token of the link in it, which begins with this path. */
async function theMail(page: string): Promise<{ mail: ReceivedMail; token: string }> {
  await sender.send();
  const [mail, ...others] = server.received;
  if (mail === undefined) throw new Error("no mail has come");
  expect(others).toEqual([]);
  const [, token = ""] = mail.text.split(`${PUBLIC_URL}${page}`);
  return { mail, token: token.slice(0, 43) };
}

describe("an invitation", () => {
  it("is mailed with a link that works, although no table has it", async () => {
    await invite("joe@example.com");
    const stored = JSON.stringify(
      await test.database`select row_to_json(mails)::text, (select json_agg(invitations)::text from invitations) from mails`,
    );
    const { mail, token } = await theMail("/invitation#");
    expect(mail.recipients).toEqual(["joe@example.com"]);
    expect(mail.headers.subject).toBe("Jane Doe invites you to Acme");
    expectSameWords(mail);
    expect(stored).not.toContain(token);
    const accepting = { database: test.database, secrets_key: SECRETS_KEY, user_id: null, browser: BROWSER };
    await acceptInvitation(accepting, { token, name: "Joe", password: PASSWORD });
    const joe = { email: "joe@example.com", password: PASSWORD };
    expect(await signIn(test.database, joe, BROWSER)).toMatchObject({ next: "done" });
  });

  it("is mailed once the mail server accepts it", async () => {
    await invite("jill@example.com");
    server.refusal = { at: "recipient", code: 450 };
    await sender.send();
    expect(await mailStates(test.database)).toMatchObject([{ state: "due", failures: 1 }]);
    server.refusal = null;
    await hurryMails(test.database);
    const { token } = await theMail("/invitation#");
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it("is not mailed once it is revoked", async () => {
    await revokeInvitation(context, await invite("jack@example.com"));
    await sender.send();
    expect(server.received).toEqual([]);
    expect(await mailStates(test.database)).toMatchObject([
      { state: "dropped", reason: "the invitation was accepted or revoked, or has expired" },
    ]);
  });
});

describe("a password reset", () => {
  it("is mailed with a link that works", async () => {
    const email = "olga@example.com";
    await setOwners(test.database, program.organization_id, [email]);
    await mailPasswordReset({ database: test.database, secrets_key: SECRETS_KEY }, email);
    const { mail, token } = await theMail("/reset#");
    expect(mail.headers.subject).toBe("Choose a new password");
    expectSameWords(mail);
    await resetPassword(test.database, { token, password: PASSWORD });
    expect(await signIn(test.database, { email, password: PASSWORD }, BROWSER)).toMatchObject({
      next: "done",
    });
  });

  it("is not mailed once another link was used, nor without a public address", async () => {
    const email = "otto@example.com";
    const dependencies = { database: test.database, secrets_key: SECRETS_KEY };
    await setOwners(test.database, program.organization_id, [email]);
    await mailPasswordReset(dependencies, email);
    const { token } = await theMail("/reset#");
    await mailPasswordReset(dependencies, email);
    await resetPassword(test.database, { token, password: PASSWORD });
    await sender.send();
    const local = mailSender(test, server, { public_url: null });
    await mailPasswordReset(dependencies, email);
    await local.send().finally(() => local.close());
    expect(server.received).toHaveLength(1);
    expect(await mailStates(test.database)).toMatchObject([
      { state: "sent" },
      { state: "dropped", reason: "the link was used or has expired" },
      { state: "dropped", reason: expect.stringContaining("PUBLIC_URL") },
    ]);
  });
});

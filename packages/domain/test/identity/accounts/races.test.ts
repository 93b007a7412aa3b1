import { upsertPassword } from "@findersfee/database/identity/passwords";
import { findUserSessionByHash } from "@findersfee/database/identity/sessions";
import { lockUser, updateUserDisabled } from "@findersfee/database/identity/users";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WaitingBrowser } from "../../../src/identity/accounts/browser.ts";
import { changePassword } from "../../../src/identity/accounts/change-password.ts";
import { hashPassword } from "../../../src/identity/accounts/password.ts";
import { hashSecretToken } from "../../../src/identity/accounts/secret-token.ts";
import { signIn } from "../../../src/identity/accounts/sign-in.ts";
import { acceptInvitation } from "../../../src/identity/invitations/accept.ts";
import { createInvitation } from "../../../src/identity/invitations/create.ts";
import { makeSetupLink } from "../../../src/identity/setup/links.ts";
import { createUser } from "../../../src/identity/users/create.ts";
import { createOrganization } from "../../../src/organizations/create.ts";
import { completeSetup } from "../../../src/organizations/set-up.ts";
import { signIn as signInMember, WAITING_BROWSER } from "./sign-in.ts";

const PASSWORD = "correct horse battery";
const SECRETS_KEY = Buffer.alloc(32);

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

async function newOrganization(): Promise<string> {
  const acme = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  return (await createOrganization(test.database, acme)).organization_id;
}

async function newUser(email: string): Promise<string> {
  const organization_id = await newOrganization();
  const input = { name: "Jane", email, organization_id, role: "owner" } as const;
  const { user_id, link } = await createUser(test.database, input);
  await completeSetup(test.database, { token: link?.token ?? "", password: PASSWORD }, WAITING_BROWSER);
  return user_id;
}

/** The token of a copied invitation to a new organization. */
async function invite(email: string): Promise<string> {
  const id = await newOrganization();
  const organization = { id, currency: "USD", subscription_status: "active" } as const;
  const { user_id } = await signInMember(test.database, { organization_id: id, role: "owner" });
  const context = {
    database: test.database,
    organization,
    actor: { kind: "user" as const, id: user_id },
    idempotency: null,
    notifyWorkers: () => {},
  };
  const inviting = { secrets_key: SECRETS_KEY, dashboard_url: "http://localhost", can_mail: false };
  const input = { email, role: "viewer", mailed: false } as const;
  const { link } = await createInvitation(context, inviting, input);
  return link?.split("/invitation#")[1] ?? "";
}

const accept = (token: string, browser = WAITING_BROWSER) =>
  acceptInvitation(
    { database: test.database, secrets_key: SECRETS_KEY, user_id: null, browser },
    { token, name: "Jill", password: PASSWORD },
  );

it("opens no session with a password that is being replaced", async () => {
  const email = "jane@example.com";
  const user_id = await newUser(email);
  const password_hash = await hashPassword("another long password", WAITING_BROWSER);
  const reset = await holdTransaction(test.database);
  await lockUser(reset.sql, user_id);
  await upsertPassword(reset.sql, { user_id, password_hash, updated_at: new Date() });
  const result = signIn(
    { database: test.database, secrets_key: SECRETS_KEY },
    { email, password: PASSWORD },
    WAITING_BROWSER,
  ).catch((error) => error);
  await awaitWaiting(test.database);
  await reset.commit();
  expect(await result).toMatchObject({ code: "sign_in_failed" });
});

it("opens no session of a user who is being disabled", async () => {
  const email = "joe@example.com";
  const id = await newUser(email);
  const disabling = await holdTransaction(test.database);
  await lockUser(disabling.sql, id);
  await updateUserDisabled(disabling.sql, { id, disabled_at: new Date(), updated_at: new Date() });
  const result = signIn(
    { database: test.database, secrets_key: SECRETS_KEY },
    { email, password: PASSWORD },
    WAITING_BROWSER,
  ).catch((error) => error);
  await awaitWaiting(test.database);
  await disabling.commit();
  expect(await result).toMatchObject({ code: "sign_in_failed" });
});

it("makes one account of two invitations that are accepted at the same time", async () => {
  const tokens = [await invite("jill@example.com"), await invite("jill@example.com")];
  const results = await Promise.all(
    tokens.map((token) =>
      accept(token).then(
        () => "accepted",
        (error) => error.code,
      ),
    ),
  );
  expect(results.toSorted()).toEqual(["accepted", "wrong_account"]);
});

describe("a person who no longer waits", () => {
  const gone = { ...WAITING_BROWSER, isWaiting: () => false };
  const refused = { code: "unavailable", message: expect.stringContaining("Nothing was changed.") };

  it("finds an invitation open", async () => {
    const token = await invite("gone@example.com");
    await expect(accept(token, gone)).rejects.toMatchObject(refused);
    expect(await accept(token)).toMatchObject({ session: { token: expect.any(String) } });
  });

  it("finds a setup link open", async () => {
    await newUser("back@example.com");
    const { token } = await makeSetupLink(test.database, "back@example.com");
    const complete = (browser: WaitingBrowser) =>
      completeSetup(test.database, { token, password: "another long password" }, browser);
    await expect(complete(gone)).rejects.toMatchObject(refused);
    await complete(WAITING_BROWSER);
  });

  it("finds the former password", async () => {
    const email = "same@example.com";
    const user_id = await newUser(email);
    const { session } = await signInDone(email);
    const stored = await findUserSessionByHash(test.database, hashSecretToken(session.token));
    const person = { user_id, session_id: stored?.id ?? "" };
    const change = { current_password: PASSWORD, password: "another long password" };
    await expect(changePassword(test.database, person, change, gone)).rejects.toMatchObject(refused);
    await signInDone(email);
  });
});

async function signInDone(email: string) {
  const signed_in = await signIn(
    { database: test.database, secrets_key: SECRETS_KEY },
    { email, password: PASSWORD },
    WAITING_BROWSER,
  );
  if (signed_in.next !== "done") throw new Error("a second factor is asked for");
  return signed_in;
}

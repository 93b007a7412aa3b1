import { upsertPassword } from "@findersfee/database/identity/passwords";
import { lockUser, updateUserDisabled } from "@findersfee/database/identity/users";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../../src/identity/accounts/password.ts";
import { signIn } from "../../../src/identity/accounts/sign-in.ts";
import { acceptInvitation } from "../../../src/identity/invitations/accept.ts";
import { createInvitation } from "../../../src/identity/invitations/create.ts";
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

it("opens no session with a password that is being replaced", async () => {
  const email = "jane@example.com";
  const user_id = await newUser(email);
  const password_hash = await hashPassword("another long password", WAITING_BROWSER);
  const reset = await holdTransaction(test.database);
  await lockUser(reset.sql, user_id);
  await upsertPassword(reset.sql, { user_id, password_hash, updated_at: new Date() });
  const result = signIn(test.database, { email, password: PASSWORD }, WAITING_BROWSER).catch(
    (error) => error,
  );
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
  const result = signIn(test.database, { email, password: PASSWORD }, WAITING_BROWSER).catch(
    (error) => error,
  );
  await awaitWaiting(test.database);
  await disabling.commit();
  expect(await result).toMatchObject({ code: "sign_in_failed" });
});

it("makes one account of two invitations that are accepted at the same time", async () => {
  const invite = async () => {
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
    const input = { email: "jill@example.com", role: "viewer", mailed: false } as const;
    const { link } = await createInvitation(context, inviting, input);
    return link?.split("/invitation#")[1] ?? "";
  };
  const accepting = {
    database: test.database,
    secrets_key: SECRETS_KEY,
    user_id: null,
    browser: WAITING_BROWSER,
  };
  const tokens = [await invite(), await invite()];
  const results = await Promise.all(
    tokens.map((token) =>
      acceptInvitation(accepting, { token, name: "Jill", password: PASSWORD }).then(
        () => "accepted",
        (error) => error.code,
      ),
    ),
  );
  expect(results.toSorted()).toEqual(["accepted", "wrong_account"]);
});

import { setUserDisabled } from "@findersfee/domain/identity/users/disable";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { codeOf, openBrowser } from "../browser.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { type Answering, Authenticator } from "./authenticator.ts";
import { newPerson, type Person } from "./people.ts";

const ORIGIN = "https://app.example.com";
const PARTY = { origin: ORIGIN, rp_id: "app.example.com" };

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ public_url: ORIGIN });
});
afterAll(() => service.close());

interface WithPasskey extends Person {
  authenticator: Authenticator;
}

async function register(
  { browser, user_id }: Person,
  wrong: Partial<Answering> = {},
  authenticator = new Authenticator(),
) {
  const { passkeys } = browser.account;
  const { challenge } = await passkeys.options.mutate({});
  const user_handle = Buffer.from(user_id).toString("base64url");
  const credential = authenticator.register(user_handle, { ...PARTY, challenge, ...wrong });
  return { authenticator, added: passkeys.add.mutate({ name: "Laptop", credential }) };
}

async function newWithPasskey(): Promise<WithPasskey> {
  const person = await newPerson(service);
  const { authenticator, added } = await register(person);
  await added;
  return { ...person, authenticator };
}

async function newChallenge(): Promise<string> {
  const { body } = await openBrowser(service).post("/auth/sign-in/passkey/options");
  return body.data.challenge;
}

async function signIn(authenticator: Authenticator, wrong: Partial<Answering> = {}) {
  const challenge = wrong.challenge ?? (await newChallenge());
  const credential = authenticator.signIn({ ...PARTY, challenge, ...wrong });
  const browser = openBrowser(service);
  const { status, body } = await browser.post("/auth/sign-in/passkey", { credential });
  return { status, code: body.error?.code, browser };
}

describe("a passkey", () => {
  it("is registered, signs its person in without a second factor, and is listed with its use", async () => {
    const person = await newPerson(service);
    const options = await person.browser.account.passkeys.options.mutate({});
    expect(options).toMatchObject({
      rp: { id: "app.example.com", name: "Findersfee" },
      user: { name: person.email, displayName: "Jane Doe" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    });
    const { authenticator, added } = await register(person);
    expect(await added).toMatchObject({ name: "Laptop", last_used_at: null, is_backed_up: false });
    const { status, browser } = await signIn(authenticator, { counter: 1 });
    expect(status).toBe(200);
    const me = await browser.account.me.get.query();
    expect(me.user.email).toBe(person.email);
    expect(await browser.account.passkeys.list.query()).toMatchObject([
      { name: "Laptop", last_used_at: expect.any(String) },
    ]);
    const [member] = await browser.dashboard(person.organization_id).members.list.query();
    expect(member?.has_second_factor).toBe(true);
  });

  it("is renamed and deleted by its person only", async () => {
    const jane = await newWithPasskey();
    const joe = await newPerson(service);
    const [passkey] = await jane.browser.account.passkeys.list.query();
    const id = passkey?.id ?? "";
    expect(await codeOf(joe.browser.account.passkeys.rename.mutate({ id, name: "Mine" }))).toBe("not_found");
    expect(await codeOf(joe.browser.account.passkeys.delete.mutate({ id }))).toBe("not_found");
    expect(await jane.browser.account.passkeys.rename.mutate({ id, name: "Phone" })).toMatchObject({
      name: "Phone",
    });
    await jane.browser.account.passkeys.delete.mutate({ id });
    expect(await signIn(jane.authenticator)).toMatchObject({ status: 401, code: "passkey_failed" });
  });

  it("is not registered twice", async () => {
    const jane = await newWithPasskey();
    const joe = await newPerson(service);
    const { added } = await register(joe, {}, jane.authenticator);
    expect(await codeOf(added)).toBe("passkey_failed");
  });

  it("is added only after a recent sign-in", async () => {
    const { browser, user_id } = await newPerson(service);
    await service.database`
      update user_sessions set created_at = created_at - interval '16 minutes' where user_id = ${user_id}`;
    expect(await codeOf(browser.account.passkeys.options.mutate({}))).toBe("sign_in_again");
  });

  it("of a disabled user is refused", async () => {
    const { email, authenticator } = await newWithPasskey();
    await setUserDisabled(service.database, { email, disabled: true });
    expect(await signIn(authenticator)).toMatchObject({ status: 401, code: "passkey_failed" });
  });

  it("that nobody registered is refused", async () => {
    expect(await signIn(new Authenticator())).toMatchObject({ status: 401, code: "passkey_failed" });
  });
});

describe("a passkey in place of the password", () => {
  async function confirm(
    { browser }: Pick<Person, "browser">,
    authenticator: Authenticator,
    wrong: Partial<Answering> = {},
  ) {
    const { challenge } = await browser.account.passkeys.confirmation_options.mutate({});
    const credential = authenticator.signIn({ ...PARTY, challenge, ...wrong });
    return await browser.account.passkeys.confirm.mutate({ credential });
  }

  async function withoutPassword(): Promise<WithPasskey> {
    const person = await newWithPasskey();
    await service.database`delete from user_passwords where user_id = ${person.user_id}`;
    return person;
  }

  it("confirms a change of policies by an owner who has no password", async () => {
    const person = await withoutPassword();
    expect(await person.browser.account.credentials.get.query()).toMatchObject({
      has_password: false,
      has_passkey: true,
    });
    const { update } = person.browser.dashboard(person.organization_id).security_policy;
    expect(await codeOf(update.mutate({ session_hours: 12 }))).toBe("sign_in_again");
    await confirm(person, person.authenticator);
    expect(await update.mutate({ session_hours: 12 })).toMatchObject({ session_hours: 12 });
  });

  it("confirms in its session alone, and for 15 minutes", async () => {
    const person = await withoutPassword();
    await service.database`
      update user_sessions set created_at = created_at - interval '16 minutes' where user_id = ${person.user_id}`;
    const options = () => person.browser.account.passkeys.options.mutate({});
    expect(await codeOf(options())).toBe("sign_in_again");
    await confirm(person, person.authenticator);
    await options();
    await service.database`
      update user_sessions set confirmed_at = confirmed_at - interval '16 minutes' where user_id = ${person.user_id}`;
    expect(await codeOf(options())).toBe("sign_in_again");
    const other = await signIn(person.authenticator);
    const { challenge } = await other.browser.account.passkeys.confirmation_options.mutate({});
    expect(await codeOf(confirm(person, person.authenticator, { challenge }))).toBe("passkey_failed");
  });

  it("is refused if it is another person's, was for a sign-in, was used, or its person did not unlock it", async () => {
    const person = await newWithPasskey();
    const { authenticator } = await newWithPasskey();
    expect(await codeOf(confirm(person, authenticator))).toBe("passkey_failed");
    expect(await codeOf(confirm(person, person.authenticator, { challenge: await newChallenge() }))).toBe(
      "passkey_failed",
    );
    expect(await codeOf(confirm(person, person.authenticator, { verified: false }))).toBe("passkey_failed");
    const { challenge } = await person.browser.account.passkeys.confirmation_options.mutate({});
    await confirm(person, person.authenticator, { challenge });
    expect(await codeOf(confirm(person, person.authenticator, { challenge }))).toBe("passkey_failed");
    const unused = await person.browser.account.passkeys.confirmation_options.mutate({});
    expect(await signIn(person.authenticator, { challenge: unused.challenge })).toMatchObject({
      status: 401,
    });
  });
});

describe("the answer of an authenticator", () => {
  it.each<[string, Partial<Answering>]>([
    ["of a page of another site", { origin: "https://evil.example" }],
    ["for another domain", { rp_id: "evil.example" }],
    ["without the person's unlocking", { verified: false }],
    ["to a challenge that the service did not make", { challenge: Buffer.alloc(56).toString("base64url") }],
  ])("%s is refused", async (_kind, wrong) => {
    const { authenticator, ...person } = await newWithPasskey();
    expect(await signIn(authenticator, wrong)).toMatchObject({ status: 401, code: "passkey_failed" });
    expect(await codeOf((await register(person, wrong)).added)).toBe("passkey_failed");
  });

  it("counts once for each challenge, also for two requests at the same time", async () => {
    const { authenticator } = await newWithPasskey();
    const challenge = await newChallenge();
    const answers = await Promise.all([
      signIn(authenticator, { challenge }),
      signIn(authenticator, { challenge }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await signIn(authenticator, { challenge })).toMatchObject({ status: 401 });
  });

  it("is refused after five minutes", async () => {
    const { authenticator } = await newWithPasskey();
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 5 * 60_000 - 1);
    const challenge = await newChallenge().finally(() => clock.mockRestore());
    expect(await signIn(authenticator, { challenge })).toMatchObject({ status: 401, code: "passkey_failed" });
  });

  it("to a challenge of a sign-in registers nothing, and the reverse", async () => {
    const { authenticator, ...person } = await newWithPasskey();
    const for_sign_in = await register(person, { challenge: await newChallenge() });
    expect(await codeOf(for_sign_in.added)).toBe("passkey_failed");
    const { challenge } = await person.browser.account.passkeys.options.mutate({});
    expect(await signIn(authenticator, { challenge: String(challenge) })).toMatchObject({ status: 401 });
  });

  it("to a challenge for another person registers nothing", async () => {
    const jane = await newPerson(service);
    const joe = await newPerson(service);
    const { challenge } = await jane.browser.account.passkeys.options.mutate({});
    expect(await codeOf((await register(joe, { challenge: String(challenge) })).added)).toBe(
      "passkey_failed",
    );
  });

  it("of a cloned authenticator is refused: its counter must grow", async () => {
    const { authenticator } = await newWithPasskey();
    expect((await signIn(authenticator, { counter: 5 })).status).toBe(200);
    expect((await signIn(authenticator, { counter: 5 })).status).toBe(401);
    expect((await signIn(authenticator, { counter: 6 })).status).toBe(200);
  });
});

it("stores no challenge that nobody answers", async () => {
  const count = async () =>
    (await service.database`select from used_passkey_challenges`).length +
    (await service.database`select from user_verifications`).length;
  const before = await count();
  await newChallenge();
  expect(await count()).toBe(before);
});

it("works on localhost without a public address, and on no address without a name", async () => {
  const local = await startTestService();
  try {
    const port = new URL(local.url).port;
    const answer = (host: string) =>
      openBrowser({ url: `http://${host}:${port}`, origin: `http://${host}:${port}` }).post(
        "/auth/sign-in/passkey/options",
      );
    expect((await answer("localhost")).body.data.rpId).toBe("localhost");
    expect((await answer("127.0.0.1")).body.error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("PUBLIC_URL"),
    });
  } finally {
    await local.close();
  }
});

describe("with required single sign-on", () => {
  it("a passkey lets an owner in, and no other member", async () => {
    const owner = await newWithPasskey();
    const { organization_id } = owner;
    const admin = await newPerson(service, { organization_id, role: "admin" });
    const { authenticator, added } = await register(admin);
    await added;
    await service.database`
      insert into sign_in_providers
        (organization_id, issuer, client_id, client_secret_encrypted, is_required, session_hours, used_at, created_at, updated_at)
      values (${organization_id}, 'https://id.example.com', 'findersfee', '', true, 12, now(), now(), now())`;
    await service.database`
      insert into sign_in_domains (organization_id, domain, proven_at) values (${organization_id}, 'example.com', now())`;
    const opened = async (key: Authenticator) => {
      const { browser } = await signIn(key);
      return await codeOf(browser.dashboard(organization_id).organization.get.query());
    };
    expect(await opened(owner.authenticator)).toBe(null);
    expect(await opened(authenticator)).toBe("single_sign_on_required");
  });
});

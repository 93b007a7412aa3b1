import type { Database } from "@findersfee/database/postgres/connect";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { confirmDevice, mailDeviceLink } from "@findersfee/domain/identity/accounts/confirm-device";
import { mailPasswordReset, resetPassword } from "@findersfee/domain/identity/accounts/reset-password";
import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { deletePasskey } from "@findersfee/domain/identity/passkeys/manage";
import { addPasskey, passkeyRegistrationOptions } from "@findersfee/domain/identity/passkeys/register";
import { confirmPerson } from "@findersfee/domain/identity/second-factor/confirm-person";
import { renewRecoveryCodes } from "@findersfee/domain/identity/second-factor/recovery-codes";
import {
  confirmSecondFactor,
  removeSecondFactor,
  startSecondFactor,
} from "@findersfee/domain/identity/second-factor/set-up";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { WAITING_BROWSER } from "@findersfee/domain/testing/accounts";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINT_POLICY, startTestService, type TestService } from "../test-service.ts";
import { Authenticator } from "./authenticator.ts";
import { newPerson, PASSWORD, type Person } from "./people.ts";

/*
 * Each change of a person's credentials takes effect as a whole or not at all, whichever of its calls to the database fails. Then it
 * can be repeated: it succeeds, or says that it has been done.
 */

const { secrets_key } = ENDPOINT_POLICY;
const PARTY = { origin: "https://app.example.com", id: "app.example.com" };
const browser = WAITING_BROWSER;

let service: TestService;

beforeAll(async () => {
  lowerPasswordCost();
  service = await startTestService();
});
afterAll(() => service.close());

interface SignedInPerson extends Person {
  session_id: string;
}

async function newSignedIn(): Promise<SignedInPerson> {
  const person = await newPerson(service);
  const [session] = await service.database<[{ id: string }]>`
    select id from user_sessions where user_id = ${person.user_id}`;
  return { ...person, session_id: session.id };
}

interface Credentials {
  password: string;
  sessions: number;
  confirmed_sessions: number;
  links: number;
  devices: number;
  passkeys: number;
  factors: number;
  codes: number;
  /** The security events by kind. */
  events: Record<string, number>;
  mails: number;
}

async function read({ user_id, email }: Person): Promise<Credentials> {
  const [row] = await service.database<[Credentials]>`
    select (select password_hash from user_passwords where user_id = ${user_id}) as password,
      (select count(*)::int from user_sessions where user_id = ${user_id}) as sessions,
      (select count(*)::int from user_sessions where user_id = ${user_id} and confirmed_at is not null) as confirmed_sessions,
      (select count(*)::int from user_verifications where user_id = ${user_id}) as links,
      (select count(*)::int from user_devices where user_id = ${user_id}) as devices,
      (select count(*)::int from user_passkeys where user_id = ${user_id}) as passkeys,
      (select count(*)::int from user_second_factors where user_id = ${user_id} and confirmed_at is not null) as factors,
      (select count(*)::int from user_recovery_codes where user_id = ${user_id}) as codes,
      (select coalesce(json_object_agg(kind, times), '{}') from (
        select kind, count(*)::int as times from security_events where user_id = ${user_id} group by kind) kinds) as events,
      (select count(*)::int from mails where recipient = ${email} and kind = 'security_notice') as mails`;
  return row;
}

const eventsOf = (state: Credentials, kind: string): number => state.events[kind] ?? 0;

/** The change from before to after that an event of this kind shows, which is mailed. */
function expectMailedEvent(before: Credentials, after: Credentials, kind: string, is_done: boolean): void {
  const events = eventsOf(after, kind) - eventsOf(before, kind);
  expect({ events, mails: after.mails - before.mails }).toEqual({
    events: Number(is_done),
    mails: Number(is_done),
  });
}

const codeNow = (secret: string) => totpCode(secret, stepOf(new Date()));

/** A person with an authenticator app, in a session that has just passed it. */
async function newProtected(): Promise<SignedInPerson> {
  const person = await newSignedIn();
  await addFactor(person);
  return person;
}

async function addFactor(person: SignedInPerson): Promise<void> {
  const { secret } = await startSecondFactor({ database: service.database, secrets_key }, person);
  const typed = { code: codeNow(secret), end_other_sessions: false };
  await confirmSecondFactor({ database: service.database, secrets_key, browser }, person, typed);
}

/** The answer of an authenticator that makes a passkey. */
async function newCredential(person: SignedInPerson) {
  const dependencies = { database: service.database, secrets_key, party: PARTY };
  const { challenge } = await passkeyRegistrationOptions(dependencies, person);
  const user_handle = Buffer.from(person.user_id).toString("base64url");
  return new Authenticator().register(user_handle, { challenge, origin: PARTY.origin, rp_id: PARTY.id });
}

async function tokenOf(kind: "device" | "password_reset", { user_id }: Person): Promise<string> {
  const [link] = await service.database<[{ id: string }]>`
    select id from user_verifications where user_id = ${user_id} and kind = ${kind} order by created_at desc limit 1`;
  return mailedToken(secrets_key, kind, link.id);
}

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  const failCalls = (attempt: (database: Database, number: number) => Promise<void>) =>
    failEachCall(service.database_url, kind, attempt);

  it("a session is confirmed with the code that was used up, or not", async () => {
    const person = await newProtected();
    await failCalls(async (database) => {
      await service.database`
        update user_sessions set confirmed_at = null, failures = 0 where user_id = ${person.user_id}`;
      const [first = "", second = ""] = await renewRecoveryCodes(service.database, person.user_id);
      const confirm = (on: Database, code: string) =>
        confirmPerson({ database: on, secrets_key }, person, { password: PASSWORD, code, browser });
      await confirm(database, first).catch(() => null);
      const { confirmed_sessions, codes } = await read(person);
      expect(codes).toBe(10 - confirmed_sessions);
      await confirm(service.database, second);
      expect(await read(person)).toMatchObject({ confirmed_sessions: 1, codes: codes - 1 });
    });
  });

  it("a link is used up only with a known browser and its event", async () => {
    const person = await newSignedIn();
    await failCalls(async (database) => {
      await mailDeviceLink({ database: service.database, secrets_key }, person.email);
      const token = await tokenOf("device", person);
      const before = await read(person);
      await confirmDevice(database, token, browser).catch(() => null);
      const after = await read(person);
      const is_done = after.links < before.links;
      expect(after.devices - before.devices).toBe(Number(is_done));
      expect(eventsOf(after, "device_confirmed") - eventsOf(before, "device_confirmed")).toBe(
        Number(is_done),
      );
      const again = confirmDevice(service.database, token, browser);
      if (is_done) await expect(again).rejects.toMatchObject({ code: "link_invalid" });
      else await again;
      // The list of known browsers is short.
      await service.database`delete from user_devices where user_id = ${person.user_id}`;
    });
  });

  it("a passkey is added with its event and mail, or not", async () => {
    const person = await newSignedIn();
    await failCalls(async (database) => {
      await service.database`delete from user_passkeys where user_id = ${person.user_id}`;
      const credential = await newCredential(person);
      const before = await read(person);
      const add = (on: Database) =>
        addPasskey({ database: on, secrets_key, party: PARTY, browser }, person, {
          name: "Laptop",
          credential,
        });
      await add(database).catch(() => null);
      const after = await read(person);
      const is_done = after.passkeys === 1;
      expectMailedEvent(before, after, "passkey_added", is_done);
      if (is_done) await expect(add(service.database)).rejects.toMatchObject({ code: "passkey_failed" });
      else await add(service.database);
      expect((await read(person)).passkeys).toBe(1);
    });
  });

  it("a passkey is removed with its event and mail, or not", async () => {
    const person = await newSignedIn();
    await failCalls(async (database) => {
      const input = { name: "Laptop", credential: await newCredential(person) };
      const dependencies = { database: service.database, secrets_key, party: PARTY, browser };
      const { id } = await addPasskey(dependencies, person, input);
      const before = await read(person);
      await deletePasskey({ database, browser }, person, id).catch(() => null);
      const after = await read(person);
      const is_done = after.passkeys === 0;
      expectMailedEvent(before, after, "passkey_removed", is_done);
      const again = deletePasskey({ database: service.database, browser }, person, id);
      if (is_done) await expect(again).rejects.toMatchObject({ code: "not_found" });
      else await again;
      expect((await read(person)).passkeys).toBe(0);
    });
  });

  it("a second factor is added with its codes, event and mail, and ends other sessions, or not", async () => {
    const person = await newSignedIn();
    await failCalls(async (database) => {
      await service.database`delete from user_second_factors where user_id = ${person.user_id}`;
      await service.database`update users set two_factor_enabled = false where id = ${person.user_id}`;
      await service.database`delete from user_recovery_codes where user_id = ${person.user_id}`;
      await addSession(person);
      const { secret } = await startSecondFactor({ database: service.database, secrets_key }, person);
      const before = await read(person);
      const confirm = (on: Database) =>
        confirmSecondFactor({ database: on, secrets_key, browser }, person, {
          code: codeNow(secret),
          end_other_sessions: true,
        });
      await confirm(database).catch(() => null);
      const after = await read(person);
      const is_done = after.factors === 1;
      expectMailedEvent(before, after, "second_factor_added", is_done);
      expect(after).toMatchObject({ codes: is_done ? 10 : 0, sessions: is_done ? 1 : before.sessions });
      if (is_done) await expect(confirm(service.database)).rejects.toMatchObject({ code: "invalid_request" });
      else await confirm(service.database);
      expect(await read(person)).toMatchObject({ factors: 1, codes: 10, sessions: 1 });
    });
  });

  it("a second factor is removed with its event and mail, or not", async () => {
    const person = await newSignedIn();
    await failCalls(async (database) => {
      await addFactor(person);
      const before = await read(person);
      await removeSecondFactor({ database, browser }, person).catch(() => null);
      const after = await read(person);
      expectMailedEvent(before, after, "second_factor_removed", after.factors === 0);
      // Without one, nothing changes.
      await removeSecondFactor({ database: service.database, browser }, person);
      const last = await read(person);
      expect(last).toMatchObject({ factors: 0, codes: 0 });
      expectMailedEvent(before, last, "second_factor_removed", true);
    });
  });

  it("a password is reset with the end of all sessions and links, its event and mail, or not", async () => {
    const person = await newSignedIn();
    await failCalls(async (database, number) => {
      await service.database`delete from user_sessions where user_id = ${person.user_id}`;
      await addSession(person);
      await mailPasswordReset({ database: service.database, secrets_key }, person.email);
      const input = {
        token: await tokenOf("password_reset", person),
        password: `${number} horse batteries`,
      };
      const before = await read(person);
      await resetPassword(database, input, browser).catch(() => null);
      const after = await read(person);
      const is_done = after.password !== before.password;
      expectMailedEvent(before, after, "password_reset", is_done);
      const expected = is_done ? { sessions: 0, links: 0, devices: 1 } : { sessions: 1, links: before.links };
      expect(after).toMatchObject(expected);
      const again = resetPassword(service.database, input, browser);
      if (is_done) await expect(again).rejects.toMatchObject({ code: "link_invalid" });
      else await again;
      expect(await read(person)).toMatchObject({ sessions: 0, links: 0, devices: 1 });
    });
  });
});

/** Signs the person in on another browser. */
async function addSession({ user_id }: SignedInPerson): Promise<void> {
  await service.database`
    insert into user_sessions (id, user_id, token_hash, created_at, updated_at, expires_at)
    values (gen_random_uuid(), ${user_id}, sha256(gen_random_uuid()::text::bytea), now(), now(), now() + interval '1 hour')`;
}

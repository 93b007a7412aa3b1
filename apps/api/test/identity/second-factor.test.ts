import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { signIn } from "@findersfee/domain/identity/accounts/sign-in";
import { signInWithCode } from "@findersfee/domain/identity/second-factor/sign-in";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { WAITING_BROWSER } from "@findersfee/domain/testing/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, codeOf, openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, sharedTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD, type Person } from "./people.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});
afterAll(() => service.close());

interface Protected extends Person {
  secret: string;
  recovery_codes: string[];
}

/** The app's code `shift` steps from now. Each code works once, so a test uses ascending ones. */
function codeAt(secret: string, shift = 0): string {
  return totpCode(secret, stepOf(new Date()) + shift);
}

/** A code of no step around now. */
function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2, 3].map((shift) => codeAt(secret, shift));
  return ["000000", "111111"].find((code) => !right.includes(code)) ?? "222222";
}

/** A person with an authenticator app: its code of the step before was used. */
async function newProtected(): Promise<Protected> {
  const person = await newPerson(service);
  const { second_factor } = person.browser.account;
  const { secret } = await second_factor.start.mutate({});
  const confirm = () => second_factor.confirm.mutate({ code: codeAt(secret, -1) });
  // The step may end while the code is on its way, which is then of the step before the last.
  const { recovery_codes } = await confirm().catch(confirm);
  return { ...person, secret, recovery_codes };
}

/** A browser in which the person typed the password. */
async function afterPassword(email: string): Promise<Browser> {
  const browser = openBrowser(service);
  const { body, headers } = await browser.post("/auth/sign-in", { email, password: PASSWORD });
  expect(body.data).toEqual({ next: "second_factor" });
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^findersfee_second_factor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    ),
  ]);
  expect(await codeOf(browser.account.me.get.query())).toBe("unauthorized");
  return browser;
}

async function typeCode(browser: Browser, code: string) {
  const { status, body } = await browser.post("/auth/sign-in/second-factor", { code });
  return { status, code: body.error?.code };
}

describe("an authenticator app", () => {
  it("is asked for only once a code of it was typed", async () => {
    const person = await newPerson(service);
    const { second_factor, credentials } = person.browser.account;
    const { secret, uri } = await second_factor.start.mutate({});
    expect(uri).toBe(
      `otpauth://totp/Findersfee:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Findersfee`,
    );
    const open = () =>
      openBrowser(service).post("/auth/sign-in", { email: person.email, password: PASSWORD });
    expect((await open()).body.data.next).toBe("done");
    expect(await codeOf(second_factor.confirm.mutate({ code: wrongCode(secret) }))).toBe("invalid_request");
    expect((await credentials.get.query()).has_second_factor).toBe(false);
    const { recovery_codes } = await second_factor.confirm.mutate({ code: codeAt(secret) });
    expect(new Set(recovery_codes).size).toBe(10);
    expect(await credentials.get.query()).toMatchObject({ has_second_factor: true, recovery_codes_left: 10 });
    expect((await open()).body.data.next).toBe("second_factor");
  });

  it("finishes a sign-in with its code, once", async () => {
    const { email, secret } = await newProtected();
    const browser = await afterPassword(email);
    const other = await afterPassword(email);
    const code = codeAt(secret);
    expect(await typeCode(browser, code)).toEqual({ status: 200, code: undefined });
    expect((await browser.account.me.get.query()).user.two_factor_enabled).toBe(true);
    expect([...browser.cookies.keys()]).toEqual(["findersfee_session", "findersfee_device"]);
    expect(await typeCode(other, code)).toEqual({ status: 401, code: "second_factor_failed" });
    expect((await typeCode(other, codeAt(secret, 1))).status).toBe(200);
  });

  it("accepts one code in only one of two browsers at the same time", async () => {
    const { email, secret } = await newProtected();
    const browsers = [await afterPassword(email), await afterPassword(email)];
    const code = codeAt(secret);
    const answers = await Promise.all(browsers.map((browser) => typeCode(browser, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("stores neither the secret nor the recovery codes", async () => {
    const { secret, recovery_codes } = await newProtected();
    const rows = JSON.stringify(
      await service.database`
      select row_to_json(user_second_factors)::text, (select json_agg(user_recovery_codes)::text from user_recovery_codes)
      from user_second_factors`,
    );
    for (const text of [
      secret,
      ...recovery_codes,
      ...recovery_codes.map((code) => code.replaceAll("-", "")),
    ]) {
      expect(rows.toLowerCase()).not.toContain(text.toLowerCase());
    }
  });

  it("asks for the password again after five wrong codes", async () => {
    const { email, secret } = await newProtected();
    const browser = await afterPassword(email);
    for (let n = 0; n < 5; n++)
      expect((await typeCode(browser, wrongCode(secret))).code).toBe("second_factor_failed");
    expect(await typeCode(browser, codeAt(secret))).toEqual({ status: 403, code: "sign_in_again" });
    expect((await typeCode(await afterPassword(email), codeAt(secret))).status).toBe(200);
  });

  it("is locked after ten wrong codes over several sign-ins, and says when to retry", async () => {
    const { email, secret } = await newProtected();
    for (let n = 0; n < 10; n++) await typeCode(await afterPassword(email), wrongCode(secret));
    const answer = await (await afterPassword(email)).post("/auth/sign-in/second-factor", {
      code: codeAt(secret),
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(800);
  });

  it("is locked for longer each time, up to a day, while recovery codes work", async () => {
    const { email, user_id, secret, recovery_codes } = await newProtected();
    /** Types a wrong code as the tenth, twentieth and so on; returns the minutes of the lock. */
    const lockAfter = async (failures: number) => {
      await service.database`
        update user_second_factors set failures = ${failures - 1}, locked_until = null where user_id = ${user_id}`;
      await typeCode(await afterPassword(email), wrongCode(secret));
      const [row] = await service.database<[{ minutes: number }]>`
        select round(extract(epoch from locked_until - now()) / 60)::int as minutes
        from user_second_factors where user_id = ${user_id}`;
      return row.minutes;
    };
    const minutes: number[] = [];
    for (const failures of [10, 20, 30, 80, 1_000]) minutes.push(await lockAfter(failures));
    expect(minutes).toEqual([15, 30, 60, 1440, 1440]);
    expect((await typeCode(await afterPassword(email), codeAt(secret))).code).toBe("rate_limited");
    expect((await typeCode(await afterPassword(email), recovery_codes[0] ?? "")).status).toBe(200);
    expect((await typeCode(await afterPassword(email), codeAt(secret))).status).toBe(200);
    expect(await lockAfter(10)).toBe(15);
  });

  it("is of no use without the password", async () => {
    const { secret } = await newProtected();
    const answer = await typeCode(openBrowser(service), codeAt(secret));
    expect(answer).toEqual({ status: 403, code: "sign_in_again" });
  });

  it("can be removed, and added again only then", async () => {
    const { browser, email } = await newProtected();
    const { second_factor } = browser.account;
    expect(await codeOf(second_factor.start.mutate({}))).toBe("invalid_request");
    await second_factor.remove.mutate({});
    const answer = await openBrowser(service).post("/auth/sign-in", { email, password: PASSWORD });
    expect(answer.body.data.next).toBe("done");
    await second_factor.start.mutate({});
  });

  it("is changed only after the password and a code were typed again", async () => {
    const { user_id, email, secret, recovery_codes } = await newProtected();
    const browser = await afterPassword(email);
    await typeCode(browser, codeAt(secret));
    const { second_factor } = browser.account;
    expect(await codeOf(second_factor.remove.mutate({}))).toBe("sign_in_again");
    expect(await codeOf(second_factor.replace_codes.mutate({}))).toBe("sign_in_again");
    const { confirm } = browser.account.credentials;
    const right = codeAt(secret, 1);
    expect(await codeOf(confirm.mutate({ password: "something else", code: right }))).toBe("invalid_request");
    expect(await codeOf(confirm.mutate({ password: PASSWORD }))).toBe("invalid_request");
    expect(await codeOf(confirm.mutate({ password: PASSWORD, code: wrongCode(secret) }))).toBe(
      "invalid_request",
    );
    expect(await codeOf(second_factor.replace_codes.mutate({}))).toBe("sign_in_again");
    await confirm.mutate({ password: PASSWORD, code: right });
    expect(await codeOf(second_factor.replace_codes.mutate({}))).toBeNull();
    await service.database`
      update user_sessions set confirmed_at = confirmed_at - interval '16 minutes' where user_id = ${user_id}`;
    expect(await codeOf(second_factor.remove.mutate({}))).toBe("sign_in_again");
    expect(await codeOf(confirm.mutate({ password: PASSWORD, code: recovery_codes[0] ?? "" }))).toBe(
      "invalid_request",
    );
  });

  it("is not removed, and no passkey added, from a session that is older than it, by the password alone", async () => {
    const person = await newPerson(service);
    const older = openBrowser(service);
    await older.post("/auth/sign-in", { email: person.email, password: PASSWORD });
    const { recovery_codes } = await protect(person.browser);
    const { second_factor, credentials, passkeys } = older.account;
    expect(await codeOf(passkeys.delete.mutate({ id: crypto.randomUUID() }))).toBe("sign_in_again");
    expect(await codeOf(credentials.confirm.mutate({ password: PASSWORD }))).toBe("invalid_request");
    expect(await codeOf(second_factor.remove.mutate({}))).toBe("sign_in_again");
    await credentials.confirm.mutate({ password: PASSWORD, code: recovery_codes[0] ?? "" });
    await second_factor.remove.mutate({});
    expect((await credentials.get.query()).has_second_factor).toBe(false);
  });

  it("ends the other sessions when it is added, if the person wants that", async () => {
    const person = await newPerson(service);
    const other = openBrowser(service);
    await other.post("/auth/sign-in", { email: person.email, password: PASSWORD });
    await protect(person.browser, { end_other_sessions: true });
    expect(await person.browser.account.sessions.list.query()).toHaveLength(1);
    await expect.poll(() => codeOf(other.account.me.get.query())).toBe("session_expired");
  });
});

/** Adds an authenticator app to the person of a browser. */
async function protect(
  { account: { second_factor } }: Browser,
  options: { end_other_sessions?: boolean } = {},
) {
  const { secret } = await second_factor.start.mutate({});
  const { recovery_codes } = await second_factor.confirm.mutate({ code: codeAt(secret), ...options });
  return { secret, recovery_codes };
}

describe("a recovery code", () => {
  it("finishes a sign-in once, however it is typed", async () => {
    const { email, recovery_codes, browser } = await newProtected();
    const [code = ""] = recovery_codes;
    expect((await typeCode(await afterPassword(email), ` ${code.toUpperCase()} `)).status).toBe(200);
    expect((await typeCode(await afterPassword(email), code)).code).toBe("second_factor_failed");
    expect((await browser.account.credentials.get.query()).recovery_codes_left).toBe(9);
  });

  it("works in only one of two browsers at the same time", async () => {
    const { email, recovery_codes } = await newProtected();
    const browsers = [await afterPassword(email), await afterPassword(email)];
    const answers = await Promise.all(browsers.map((browser) => typeCode(browser, recovery_codes[0] ?? "")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("stops working when the codes are replaced", async () => {
    const { email, recovery_codes, browser } = await newProtected();
    const replaced = await browser.account.second_factor.replace_codes.mutate({});
    expect((await typeCode(await afterPassword(email), recovery_codes[0] ?? "")).status).toBe(401);
    expect((await typeCode(await afterPassword(email), replaced.recovery_codes[0] ?? "")).status).toBe(200);
  });

  it.each(LOST_ANSWERS)("is used up only together with a session when a call fails (%s)", async (kind) => {
    const person = await newProtected();
    const { secrets_key } = ENDPOINT_POLICY;
    const machine = WAITING_BROWSER;
    await failEachCall(service.database_url, kind, async (database) => {
      const code = person.recovery_codes.shift() ?? "";
      const first = await signIn(
        { database: service.database, secrets_key },
        { email: person.email, password: PASSWORD },
        machine,
      );
      if (first.next !== "second_factor") throw new Error("no second factor");
      const before = await sessionsAndCodes(person.user_id);
      const typed = { token: first.token, code };
      await signInWithCode({ database, secrets_key }, typed, machine).catch(() => null);
      const after = await sessionsAndCodes(person.user_id);
      expect(after.sessions - before.sessions).toBe(before.codes - after.codes);
    });
  });
});

async function sessionsAndCodes(user_id: string): Promise<{ sessions: number; codes: number }> {
  const [row] = await service.database<[{ sessions: number; codes: number }]>`
    select (select count(*)::int from user_sessions where user_id = ${user_id}) as sessions,
      (select count(*)::int from user_recovery_codes where user_id = ${user_id}) as codes`;
  return row;
}

import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, codeOf, openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, startTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD } from "./people.ts";

/*
 * Wrong passwords are counted for each account, by all processes together, and keep nobody out of a browser
 * that the account knows.
 */

let service: TestService;

beforeAll(async () => {
  lowerPasswordCost();
  service = await startTestService();
});
afterAll(() => service.close());

const OF_STRANGERS = 50;

function signIn(browser: Browser, email: string, password = PASSWORD) {
  return browser.post("/auth/sign-in", { email, password });
}

/** Types wrong passwords as strangers do; returns the codes of the answers. */
async function guess(email: string, times: number): Promise<string[]> {
  const codes: string[] = [];
  // Few at once: more of one network would wait for their hashes too long.
  while (codes.length < times) {
    const round = Array.from({ length: Math.min(5, times - codes.length) }, () =>
      signIn(openBrowser(service), email, "wrong password 1"),
    );
    codes.push(...(await Promise.all(round)).map(({ body }) => body.error.code));
  }
  return codes;
}

/** The token of the last link that was mailed to an address. */
async function mailed(email: string, kind: "device_link" | "password_reset"): Promise<string> {
  const [mail] = await service.database<{ about: string }[]>`
    select about from mails where recipient = ${email} and kind = ${kind} order by created_at desc limit 1`;
  const purpose = kind === "device_link" ? "device" : kind;
  return mailedToken(ENDPOINT_POLICY.secrets_key, purpose, mail?.about ?? "");
}

describe("once strangers have used their guesses", () => {
  it("answers right and wrong passwords, of known and unknown addresses, alike", async () => {
    const { email } = await newPerson(service);
    const unknown = `nobody-${crypto.randomUUID()}@example.com`;
    for (const address of [email, unknown]) {
      const codes = await guess(address, OF_STRANGERS + 10);
      expect(codes.filter((code) => code === "sign_in_failed")).toHaveLength(OF_STRANGERS);
      expect(codes.filter((code) => code === "sign_in_limited")).toHaveLength(10);
    }
    const answers = await Promise.all([
      signIn(openBrowser(service), email),
      signIn(openBrowser(service), email, "wrong password 1"),
      signIn(openBrowser(service), unknown),
    ]);
    const [first] = answers;
    for (const { status, body } of answers) {
      expect(status).toBe(429);
      expect(body.error.message).toBe(first.body.error.message);
    }
    expect(first.body.error.message).toContain("link mailed to you");
  });

  it("signs in browsers that signed in before, of this account alone", async () => {
    const [jane, joe] = [await newPerson(service), await newPerson(service)];
    await guess(jane.email, OF_STRANGERS);
    await guess(joe.email, OF_STRANGERS);
    expect((await signIn(jane.browser, jane.email)).status).toBe(200);
    expect((await signIn(jane.browser, joe.email)).body.error.code).toBe("sign_in_limited");
    expect((await signIn(joe.browser, joe.email)).status).toBe(200);
  });

  it("signs in where a mailed link was opened, with the password", async () => {
    const { email } = await newPerson(service);
    await guess(email, OF_STRANGERS);
    // Another browser may ask for the link: it works in the browser that opens it.
    expect((await openBrowser(service).post("/auth/device/mail", { email })).body.data).toEqual({});
    const token = await mailed(email, "device_link");
    const browser = openBrowser(service);
    expect((await browser.post("/auth/device/confirm", { token })).status).toBe(200);
    expect(await codeOf(browser.account.me.get.query())).toBe("unauthorized");
    expect((await signIn(browser, email)).status).toBe(200);
    const again = await openBrowser(service).post("/auth/device/confirm", { token });
    expect(again.body.error.code).toBe("link_invalid");
  });

  it("signs in where a new password was chosen, and no longer knows the other browsers", async () => {
    const { email, browser } = await newPerson(service);
    await guess(email, OF_STRANGERS);
    await browser.post("/auth/password/forgot", { email });
    const token = await mailed(email, "password_reset");
    const password = "another horse battery";
    const resetting = openBrowser(service);
    expect((await resetting.post("/auth/password/reset", { token, password })).status).toBe(200);
    expect((await signIn(resetting, email, password)).status).toBe(200);
    expect((await signIn(browser, email, password)).body.error.code).toBe("sign_in_limited");
  });

  it("gives a guess back every two hours", async () => {
    const { email } = await newPerson(service);
    await guess(email, OF_STRANGERS);
    const [stored] = await service.database<{ email_hash: Buffer }[]>`
      select email_hash from sign_in_guesses order by full_at desc limit 1`;
    await service.database`
      update sign_in_guesses set full_at = full_at - interval '2 hours' where email_hash = ${stored?.email_hash ?? null}`;
    expect(await guess(email, 1)).toEqual(["sign_in_failed"]);
    expect(await guess(email, 1)).toEqual(["sign_in_limited"]);
  });

  it("gives a right guess back", async () => {
    const { email } = await newPerson(service);
    await guess(email, OF_STRANGERS - 1);
    for (let n = 0; n < 3; n++) expect((await signIn(openBrowser(service), email)).status).toBe(200);
  });
});

it("mails no link to an unknown address, with the same answer, and five at most", async () => {
  const { email } = await newPerson(service);
  const ask = (address: string) => openBrowser(service).post("/auth/device/mail", { email: address });
  const answer = await ask("nobody@example.com");
  for (let n = 0; n < 7; n++) expect((await ask(email)).body).toEqual(answer.body);
  const mails = await service.database`
    select recipient from mails where kind = 'device_link' and recipient in (${email}, 'nobody@example.com')`;
  expect(mails).toHaveLength(5);
});

describe("a browser that signed in before", () => {
  it("has five wrong passwords in a row, and then those of strangers", async () => {
    const { email, browser } = await newPerson(service);
    const wrong = async () => (await signIn(browser, email, "wrong password 1")).body.error.code;
    for (let n = 0; n < 4; n++) expect(await wrong()).toBe("sign_in_failed");
    expect((await signIn(browser, email)).status).toBe(200);
    await guess(email, OF_STRANGERS);
    for (let n = 0; n < 5; n++) expect(await wrong()).toBe("sign_in_failed");
    expect(await wrong()).toBe("sign_in_limited");
    expect((await signIn(browser, email)).body.error.code).toBe("sign_in_limited");
  });

  it("is forgotten once ten others were used since", async () => {
    const { email, browser, user_id } = await newPerson(service);
    for (let n = 0; n < 10; n++) await signIn(openBrowser(service), email);
    const devices = await service.database`select from user_devices where user_id = ${user_id}`;
    expect(devices).toHaveLength(10);
    await guess(email, OF_STRANGERS);
    expect((await signIn(browser, email)).body.error.code).toBe("sign_in_limited");
  });

  it("is stored without its cookie's token", async () => {
    const { browser } = await newPerson(service);
    const token = browser.cookies.get("findersfee_device") ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = await service.database`select row_to_json(user_devices)::text as row from user_devices`;
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

it("ends a session in which six wrong passwords were typed", async () => {
  const { browser } = await newPerson(service);
  const { confirm } = browser.account.credentials;
  for (let n = 0; n < 5; n++)
    expect(await codeOf(confirm.mutate({ password: `wrong password ${n}` }))).toBe("invalid_request");
  expect(await codeOf(confirm.mutate({ password: PASSWORD }))).toBe("session_expired");
  await expect.poll(() => codeOf(browser.account.me.get.query())).toBe("session_expired");
});

import { randomBytes } from "node:crypto";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { mailPasswordReset } from "@findersfee/domain/identity/accounts/reset-password";
import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, sharedTestService, startTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD } from "./people.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});
afterAll(() => service.close());

const NEW = "another long password";

/** Requests a reset; returns the token of the link that is mailed. */
async function forget(email: string): Promise<string> {
  const { status, body } = await openBrowser(service).post("/auth/password/forgot", { email });
  expect({ status, body }).toEqual({ status: 200, body: { success: true, data: {} } });
  const [mail] = await service.database<{ about: string }[]>`
    select about from mails where kind = 'password_reset' and recipient = ${email} order by created_at desc limit 1`;
  return mailedToken(ENDPOINT_POLICY.secrets_key, "password_reset", mail?.about ?? "");
}

function reset(token: string, password = NEW) {
  return openBrowser(service).post("/auth/password/reset", { token, password });
}

function signIn(email: string, password: string) {
  return openBrowser(service).post("/auth/sign-in", { email, password });
}

describe("a password reset", () => {
  it("sets a new password by the mailed link, once, and ends all sessions", async () => {
    const { email, browser, user_id } = await newPerson(service);
    const token = await forget(email);
    expect((await reset(token)).status).toBe(200);
    const [left] = await service.database`
      select count(*)::int as sessions from user_sessions where user_id = ${user_id}`;
    expect(left).toEqual({ sessions: 0 });
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, NEW)).status).toBe(200);
    expect((await reset(token, "a third long password")).body.error.code).toBe("link_invalid");
    expect([...browser.cookies.keys()]).toEqual(["findersfee_session", "findersfee_device"]);
  });

  it("answers an unknown email alike, and mails nothing", async () => {
    const email = `nobody-${crypto.randomUUID()}@example.com`;
    const ofNobody = () => service.database`select id from user_verifications where user_id is null`;
    const before = (await ofNobody()).map(({ id }) => id);
    const { status, body } = await openBrowser(service).post("/auth/password/forgot", { email });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: {} } });
    expect(await service.database`select from mails where recipient = ${email}`).toEqual([]);
    expect((await ofNobody()).filter(({ id }) => !before.includes(id))).toHaveLength(1);
  });

  it("refuses an expired link", async () => {
    const { email } = await newPerson(service);
    const token = await forget(email);
    await service.database`update user_verifications set expires_at = expires_at - interval '1 hour'`;
    expect((await reset(token)).body.error.code).toBe("link_invalid");
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it("refuses forged links, and links of another kind", async () => {
    const { email, user_id } = await newPerson(service);
    await forget(email);
    const [row] = await service.database<{ id: string }[]>`
      select id from user_verifications where user_id = ${user_id}`;
    const id = row?.id ?? "";
    const forged = [
      mailedToken(randomBytes(32), "password_reset", id),
      mailedToken(ENDPOINT_POLICY.secrets_key, "email", id),
      randomBytes(32).toString("base64url"),
      id,
      "",
    ];
    for (const token of forged) expect((await reset(token)).body.error.code).toBe("link_invalid");
  });

  it("works once for two requests at the same time", async () => {
    const { email } = await newPerson(service);
    const token = await forget(email);
    const answers = await Promise.all([reset(token), reset(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it("keeps the second factor of a confirmed address, and drops what the maker of an unconfirmed one added", async () => {
    const { email, user_id } = await newPerson(service);
    const { database } = service;
    await database`update users set two_factor_enabled = true where id = ${user_id}`;
    await reset(await forget(email));
    expect((await signIn(email, NEW)).body.data.next).toBe("second_factor");
    await database`update users set email_verified = false where id = ${user_id}`;
    await reset(await forget(email), "a third long password");
    expect((await signIn(email, "a third long password")).body.data.next).toBe("done");
  });

  it("limits mails per address of a person, known or not", async () => {
    const limited = await startTestService({ sign_in_limit_per_minute: 1000 });
    try {
      const { email } = await newPerson(limited);
      for (const address of [email, "nobody@example.com"]) {
        const answers = await Promise.all(
          Array.from({ length: 4 }, () =>
            openBrowser(limited).post("/auth/password/forgot", { email: address }),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
      }
    } finally {
      await limited.close();
    }
  });

  it("is mailed five times an hour, however often somebody asks for it", async () => {
    const { email } = await newPerson(service);
    const tokens: string[] = [];
    for (let request = 0; request < 7; request++) tokens.push(await forget(email));
    const mails = () =>
      service.database`select from mails where recipient = ${email} and kind = 'password_reset'`;
    expect(await mails()).toHaveLength(5);
    expect((await reset(tokens[0] ?? "")).status).toBe(200);
    await forget(email);
    expect(await mails()).toHaveLength(6);
  });

  it.each(LOST_ANSWERS)(
    "has either both the link and its mail or neither when a call fails (%s)",
    async (kind) => {
      const { email, user_id } = await newPerson(service);
      const { secrets_key } = ENDPOINT_POLICY;
      await failEachCall(service.database_url, kind, async (database) => {
        await mailPasswordReset({ database, secrets_key }, email).catch(() => null);
        const [row] = await service.database<[{ links: number; mails: number }]>`
        select (select count(*)::int from user_verifications where user_id = ${user_id}) as links,
          (select count(*)::int from mails where recipient = ${email}) as mails`;
        expect(row.links).toBe(row.mails);
      });
    },
  );
});

describe("a change of the password", () => {
  it("can be tried ten times a minute, and five times in a row", async () => {
    const attempt = async () => {
      const { browser } = await newPerson(service);
      const attempts = Array.from({ length: 11 }, () =>
        codeOf(
          browser.account.credentials.change_password.mutate({ current_password: "wrong", password: NEW }),
        ),
      );
      return await Promise.all(attempts);
    };
    let codes = await attempt();
    // A minute of the process ended between the attempts, and another one has begun.
    if (!codes.includes("rate_limited")) codes = await attempt();
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(1);
    expect(codes.filter((code) => code === "invalid_request")).toHaveLength(5);
    expect(codes.filter((code) => code === "session_expired")).toHaveLength(5);
  });

  it("needs the current one, and ends the other sessions", async () => {
    const { email, browser } = await newPerson(service);
    const other = openBrowser(service);
    await other.post("/auth/sign-in", { email, password: PASSWORD });
    const { credentials, sessions } = browser.account;
    const wrong = credentials.change_password.mutate({ current_password: "wrong", password: NEW });
    expect(await codeOf(wrong)).toBe("invalid_request");
    expect(await sessions.list.query()).toHaveLength(2);
    await credentials.change_password.mutate({ current_password: PASSWORD, password: NEW });
    expect(await sessions.list.query()).toMatchObject([{ is_current: true }]);
    expect((await signIn(email, NEW)).status).toBe(200);
  });
});

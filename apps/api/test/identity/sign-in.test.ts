import { eventually, lastedFor } from "@findersfee/database/testing/eventually";
import { hashPassword, PASSWORD_COST, setPasswordCost } from "@findersfee/domain/identity/accounts/password";
import { setUserDisabled } from "@findersfee/domain/identity/users/disable";
import { WAITING_BROWSER } from "@findersfee/domain/testing/accounts";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openBrowser } from "../browser.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD, type Person } from "./people.ts";

afterEach(lowerPasswordCost);

let service: TestService;
let jane: Person;

beforeAll(async () => {
  service = await startTestService();
  jane = await newPerson(service);
});
afterAll(() => service.close());

function signIn(email: string, password: string, browser = openBrowser(service)) {
  return browser.post("/auth/sign-in", { email, password });
}

describe("a sign-in with a password", () => {
  it("opens a session, in a cookie that scripts cannot read, and shows no token", async () => {
    const browser = openBrowser(service);
    const { status, headers, body } = await signIn(jane.email.toUpperCase(), PASSWORD, browser);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { next: "done" } } });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^findersfee_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
      ),
      expect.stringMatching(
        /^findersfee_device=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
      ),
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
    const me = await browser.account.me.get.query();
    expect(me.user).toMatchObject({ id: jane.user_id, email: jane.email, name: "Jane Doe" });
  });

  it("stores only the hash of the session's token", async () => {
    const browser = openBrowser(service);
    await signIn(jane.email, PASSWORD, browser);
    const token = browser.cookies.get("findersfee_session") ?? "";
    const rows = await service.database`select row_to_json(user_sessions)::text as row from user_sessions`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("answers a wrong password, an unknown email and a user without a password alike", async () => {
    const { database } = service;
    const at = new Date();
    await database`
      insert into users ${database({ id: crypto.randomUUID(), name: "No password", email: "none@example.com", created_at: at, updated_at: at })}`;
    const answers = await Promise.all([
      signIn(jane.email, "wrong password 123"),
      signIn("nobody@example.com", PASSWORD),
      signIn("none@example.com", PASSWORD),
    ]);
    for (const { status, body, headers } of answers) {
      expect({ status, code: body.error.code, message: body.error.message }).toEqual({
        status: 401,
        code: "sign_in_failed",
        message: "The email or the password is wrong.",
      });
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it("takes as long for an unknown email as for a wrong password", async () => {
    const time = async (email: string) => {
      const start = performance.now();
      await signIn(email, "wrong password 123");
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    setPasswordCost(PASSWORD_COST);
    await service.database`
      update user_passwords set password_hash = ${await hashPassword(PASSWORD, WAITING_BROWSER)}
      where user_id = (select id from users where email = ${jane.email})`;
    // The hash takes nearly all of the time, and a look-up alone a hundredth of it.
    const isAlike = () => Math.min(...unknown) > Math.min(...known) / 3;
    // Other work of the machine makes some rounds longer.
    for (let round = 0; round < 2 || (round < 10 && !isAlike()); round++) {
      known.push(await time(jane.email));
      unknown.push(await time("nobody@example.com"));
    }
    expect(isAlike()).toBe(true);
  });

  it("refuses a page of another site", async () => {
    const { status, body } = await openBrowser(service, "https://evil.example").post("/auth/sign-in", {
      email: jane.email,
      password: PASSWORD,
    });
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: "forbidden_origin" });
  });

  it("lists all invalid fields", async () => {
    const { status, body } = await openBrowser(service).post("/auth/sign-in", { email: "jane", more: 1 });
    expect(status).toBe(400);
    expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      "email",
      "more",
      "password",
    ]);
  });

  it("refuses a disabled user like a wrong password, and ends the sessions within a second", async () => {
    const joe = await newPerson(service);
    await joe.browser.account.me.get.query();
    await setUserDisabled(service.database, { email: joe.email, disabled: true });
    expect(
      await lastedFor(async () =>
        expect(await codeOf(joe.browser.account.me.get.query())).toBe("session_expired"),
      ),
    ).toBeLessThan(1_000);
    expect((await signIn(joe.email, PASSWORD)).body.error.code).toBe("sign_in_failed");
    await setUserDisabled(service.database, { email: joe.email, disabled: false });
    expect((await signIn(joe.email, PASSWORD)).status).toBe(200);
  });
});

describe("closed paths", () => {
  it.each([
    "/auth/sign-up/email",
    "/auth/list-sessions",
    "/auth/revoke-session",
    "/auth/revoke-other-sessions",
  ])("serves nothing at %s", async (path) => {
    expect((await jane.browser.post(path, {})).status).toBe(404);
  });
});

describe("a sign-out", () => {
  it("ends the session at the server", async () => {
    const browser = openBrowser(service);
    await signIn(jane.email, PASSWORD, browser);
    const kept = new Map(browser.cookies);
    expect((await browser.post("/auth/sign-out")).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(["findersfee_device"]);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    await eventually(async () =>
      expect(await codeOf(browser.account.me.get.query())).toBe("session_expired"),
    );
  });

  it("is no error without a session", async () => {
    expect((await openBrowser(service).post("/auth/sign-out")).status).toBe(200);
  });
});

describe("limits", () => {
  it("counts attempts per email, known or not, and says when to retry", async () => {
    const limited = await startTestService({ sign_in_limit_per_minute: 1000 });
    try {
      const person = await newPerson(limited);
      for (const email of ["nobody@example.com", person.email]) {
        const answers = await Promise.all(
          Array.from({ length: 11 }, () =>
            openBrowser(limited).post("/auth/sign-in", { email, password: PASSWORD }),
          ),
        );
        const refused = answers.filter(({ status }) => status === 429);
        expect(refused).toHaveLength(1);
        expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
      }
    } finally {
      await limited.close();
    }
  });

  it("keeps nobody out because another address tries too often", async () => {
    const limited = await startTestService({ sign_in_limit_per_minute: 1000, trust_proxy: 1 });
    try {
      const from = (address: string) =>
        openBrowser(limited).post(
          "/auth/sign-in",
          { email: "nobody@example.com", password: PASSWORD },
          { "x-forwarded-for": address },
        );
      const strangers = await Promise.all(Array.from({ length: 11 }, () => from("192.0.2.1")));
      expect(strangers.map(({ status }) => status)).toContain(429);
      expect((await from("192.0.2.2")).status).toBe(401);
    } finally {
      await limited.close();
    }
  });

  it("counts requests per address, over all paths", async () => {
    const limited = await startTestService({ sign_in_limit_per_minute: 3 });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++) {
        const { status, headers } = await openBrowser(limited).post("/auth/setup/status", { token: "x" });
        statuses.push(status);
        if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
      expect(statuses).toEqual([404, 404, 404, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("behind https", () => {
  it("names the cookie so that no other host can set it", async () => {
    const secure = await startTestService({ public_url: "https://app.example.com" });
    try {
      const person = openBrowser(secure, "https://app.example.com");
      const { headers } = await person.post("/auth/sign-out");
      expect(headers.getSetCookie()[0]).toBe(
        "__Host-findersfee_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
      );
    } finally {
      await secure.close();
    }
  });
});

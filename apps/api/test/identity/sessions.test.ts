import { lastedFor } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, codeOf, openBrowser } from "../browser.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD } from "./people.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});
afterAll(() => service.close());

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(service);
  await browser.post("/auth/sign-in", { email, password: PASSWORD });
  await browser.account.me.get.query();
  return browser;
}

async function expectEnded(browser: Browser): Promise<void> {
  expect(
    await lastedFor(async () => expect(await codeOf(browser.account.me.get.query())).toBe("session_expired")),
  ).toBeLessThan(1_000);
}

it("ends the session of another browser within a second", async () => {
  const { email, browser } = await newPerson(service);
  const other = await signedIn(email);
  const { sessions } = browser.account;
  const [current, listed] = [true, false].map((is_current) =>
    sessions.list.query().then((rows) => rows.find((row) => row.is_current === is_current)),
  );
  expect(await current).toMatchObject({ user_agent: "Firefox", ip_address: "127.0.0.1" });
  await sessions.end.mutate({ id: (await listed)?.id ?? "" });
  await expectEnded(other);
  await browser.account.me.get.query();
});

it("ends all other sessions", async () => {
  const { email, browser } = await newPerson(service);
  const others = [await signedIn(email), await signedIn(email)];
  expect(await browser.account.sessions.end_others.mutate({})).toEqual({ ended: 2 });
  for (const other of others) await expectEnded(other);
  await browser.account.me.get.query();
});

it("ends no session of another person", async () => {
  const jane = await newPerson(service);
  const joe = await newPerson(service);
  const [session] = await joe.browser.account.sessions.list.query();
  const call = jane.browser.account.sessions.end.mutate({ id: session?.id ?? "" });
  expect(await codeOf(call)).toBe("not_found");
  await joe.browser.account.me.get.query();
});

it("renames the person", async () => {
  const { browser } = await newPerson(service);
  await browser.account.credentials.rename.mutate({ name: "Jane Roe" });
  expect((await browser.account.me.get.query()).user.name).toBe("Jane Roe");
});

/* Passwords are hashed for each network in turn, so that strangers keep nobody out. */
import { setPasswordCost } from "@findersfee/domain/identity/accounts/password";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { newPerson, PASSWORD, type Person } from "./people.ts";

let service: TestService;
let jane: Person;

beforeAll(async () => {
  service = await startTestService({ trust_proxy: 1 });
  jane = await newPerson(service);
});

afterEach(lowerPasswordCost);
afterAll(() => service.close());

function signIn(address: string, email: string) {
  const body = { email, password: PASSWORD };
  return openBrowser(service).post("/auth/sign-in", body, { "x-forwarded-for": address });
}

it.each([
  ["one network", "198.51.100.7", (index: number) => `192.0.2.${index + 1}`],
  ["ten networks", "203.0.113.7", (index: number) => `10.0.${index % 10}.${index + 1}`],
  ["one home connection", "2001:db8:2::1", (index: number) => `2001:db8:1:${index + 1}::1`],
])("lets a person in despite more sign-ins than wait from %s", async (_, own, addressOf) => {
  // Those of unknown emails cost this, and Jane's costs little.
  setPasswordCost({ N: 2 ** 14, r: 8, p: 2 });
  const asked = Array.from({ length: 70 }, (_, index) =>
    signIn(addressOf(index), `stranger${index}@example.com`),
  );
  // Until somebody is refused, not all wait at once.
  await Promise.any(asked.map(async (sign_in) => expect(await isRefused(await sign_in)).toBe(true)));
  expect((await signIn(own, jane.email)).status).toBe(200);
  for (const { status } of await Promise.all(asked)) expect([401, 503]).toContain(status);
});

async function isRefused({ status, body }: Awaited<ReturnType<typeof signIn>>): Promise<boolean> {
  return status === 503 && body.error.message.startsWith("Too many people sign in at once.");
}

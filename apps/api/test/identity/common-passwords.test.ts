import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { createUser } from "@findersfee/domain/identity/users/create";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { TRPCClientError } from "@trpc/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, startTestService, type TestService } from "../test-service.ts";
import { newOrganization, newPerson, PASSWORD, type Person } from "./people.ts";

/* Wherever a person chooses a password, one that strangers try first is refused, and nothing is used up. */

const GUESSED_FIRST = ["password1234", "123456789012", "qwertyuiop12", "letmein12345", "Northwind!123"];
const ISSUE = { path: "password", message: expect.stringContaining("guessed first") };

let service: TestService;
let jane: Person;

beforeAll(async () => {
  lowerPasswordCost();
  service = await startTestService();
  jane = await newPerson(service, { organization_id: await newOrganization(service, "Northwind") });
});
afterAll(() => service.close());

it.each(GUESSED_FIRST)("refuses %s at a change", async (password) => {
  const change = jane.browser.account.credentials.change_password.mutate({
    current_password: PASSWORD,
    password,
  });
  const error: unknown = await change.catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(TRPCClientError);
  expect(error).toMatchObject({ data: { code: "invalid_request", issues: [ISSUE] } });
});

it("refuses one at the set-up, whose link still works", async () => {
  const { link } = await createUser(service.database, {
    name: "Joe",
    email: "joe@example.com",
    organization_id: jane.organization_id,
    role: "viewer",
  });
  const complete = (password: string) =>
    openBrowser(service).post("/auth/setup/complete", { token: link?.token, password });
  for (const password of GUESSED_FIRST)
    expect((await complete(password)).body.error).toMatchObject({ issues: [ISSUE] });
  expect((await complete(PASSWORD)).status).toBe(200);
});

it("refuses one at an invitation, whose link still works", async () => {
  const { token } = await invite("new@example.com");
  const accept = (password: string) =>
    openBrowser(service).post("/auth/invitations/accept", { token, name: "New", password });
  expect((await accept("Northwind!123")).body.error).toMatchObject({ issues: [ISSUE] });
  expect((await accept(PASSWORD)).status).toBe(200);
});

it("refuses one at a reset, whose link still works", async () => {
  const joe = await newPerson(service, { organization_id: jane.organization_id });
  await openBrowser(service).post("/auth/password/forgot", { email: joe.email });
  const [{ id }] = await service.database<[{ id: string }]>`
    select id from user_verifications where user_id = ${joe.user_id} and kind = 'password_reset'`;
  const token = mailedToken(ENDPOINT_POLICY.secrets_key, "password_reset", id);
  const reset = (password: string) => openBrowser(service).post("/auth/password/reset", { token, password });
  for (const password of GUESSED_FIRST)
    expect((await reset(password)).body.error).toMatchObject({ issues: [ISSUE] });
  expect((await reset(`${PASSWORD} again`)).status).toBe(200);
});

async function invite(email: string): Promise<{ token: string }> {
  const { invitations } = jane.browser.dashboard(jane.organization_id);
  const { link } = await invitations.create.mutate({ email, role: "viewer", mailed: false });
  return { token: link?.split("#")[1] ?? "" };
}

import { randomBytes } from "node:crypto";
import { makeFirstSetupLink, makeSetupLink } from "@findersfee/domain/identity/setup/links";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { newOrganization, newPerson, PASSWORD } from "./people.ts";

let service: TestService;

beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const ACME = { name: "Acme", currency: "EUR", time_zone: "Europe/Berlin" };
const JANE = { name: "Jane Doe", email: "Jane@Example.com", password: PASSWORD };

async function firstToken(): Promise<string> {
  return (await makeFirstSetupLink(service.database))?.token ?? "";
}

const INVALID = expect.objectContaining({
  code: "link_invalid",
  message: expect.stringContaining("Run `findersfee user link`"),
});

describe("the first setup link", () => {
  it("is made once, also by processes that start at the same time", async () => {
    const links = await Promise.all([1, 2, 3].map(() => makeFirstSetupLink(service.database)));
    expect(links.filter((link) => link !== null)).toHaveLength(1);
    expect(await makeFirstSetupLink(service.database)).toBeNull();
  });

  it("creates the first user with an organization, and signs them in", async () => {
    const token = await firstToken();
    const browser = openBrowser(service);
    const status = await browser.post("/auth/setup/status", { token });
    expect(status.body.data).toMatchObject({ purpose: "first_user", user: null, organizations: [] });
    const { body } = await browser.post("/auth/setup/complete", { token, ...JANE, organization: ACME });
    expect(body).toEqual({ success: true, data: { organization_slug: "acme" } });
    const me = await browser.account.me.get.query();
    expect(me.user).toMatchObject({ email: "jane@example.com", name: "Jane Doe" });
    expect(me.organizations).toMatchObject([{ slug: "acme", role: "owner", ...ACME }]);
    const again = await openBrowser(service).post("/auth/sign-in", { email: JANE.email, password: PASSWORD });
    expect(again.status).toBe(200);
  });

  it("joins an organization that exists as its owner, and is in its audit log", async () => {
    const organization_id = await newOrganization(service);
    const token = await firstToken();
    const browser = openBrowser(service);
    const { body } = await browser.post("/auth/setup/status", { token });
    expect(body.data.organizations).toEqual([{ id: organization_id, name: "Acme", currency: "USD" }]);
    await browser.post("/auth/setup/complete", { token, ...JANE, organization_id });
    const { user, organizations } = await browser.account.me.get.query();
    expect(organizations).toMatchObject([{ id: organization_id, role: "owner" }]);
    const { data } = await browser.dashboard(organization_id).changes.list.query({ resource: "member" });
    expect(data).toMatchObject([
      { action: "created", actor: `user ${user.id}`, after: { email: "jane@example.com", role: "owner" } },
    ]);
  });

  it("works once, also for two people at the same time", async () => {
    const token = await firstToken();
    const answers = await Promise.all(
      [JANE, { ...JANE, email: "joe@example.com" }].map((person) =>
        openBrowser(service).post("/auth/setup/complete", { token, ...person, organization: ACME }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const { body } = await openBrowser(service).post("/auth/setup/status", { token });
    expect(body.error).toEqual(INVALID);
  });

  it("expires after 24 hours", async () => {
    const token = await firstToken();
    await service.database`update setup_tokens set expires_at = expires_at - interval '24 hours'`;
    for (const path of ["status", "complete"]) {
      const { status, body } = await openBrowser(service).post(`/auth/setup/${path}`, {
        token,
        ...(path === "status" ? {} : { ...JANE, organization: ACME }),
      });
      expect({ status, error: body.error }).toEqual({ status: 404, error: INVALID });
    }
  });

  it.each([
    ["forged", randomBytes(32).toString("base64url")],
    ["malformed", "x"],
    ["empty", ""],
  ])("refuses a %s link", async (_kind, token) => {
    await firstToken();
    const { body } = await openBrowser(service).post("/auth/setup/status", { token });
    expect(body.error).toEqual(INVALID);
  });

  it("is of no use once there is a user", async () => {
    const token = await firstToken();
    await newPerson(service);
    const { body } = await openBrowser(service).post("/auth/setup/status", { token });
    expect(body.error).toEqual(INVALID);
  });

  it.each([
    [{ ...JANE, password: "short", organization: ACME }, ["password"]],
    [{ ...JANE, password: "aaaaaaaaaaaaa", organization: ACME }, ["password"]],
    [
      { ...JANE, email: "jane.doe@example.com", password: "jane.doe@example.com", organization: ACME },
      ["password"],
    ],
    [{ ...JANE, organization: { ...ACME, time_zone: "Mars/Olympus" } }, ["organization.time_zone"]],
    [{ ...JANE, organization: { ...ACME, currency: "eur" } }, ["organization.currency"]],
    [JANE, ["organization"]],
    [{ password: PASSWORD, organization: ACME }, ["name"]],
  ])("refuses invalid input, and can be used again: %j", async (input, paths) => {
    const token = await firstToken();
    const { status, body } = await openBrowser(service).post("/auth/setup/complete", { token, ...input });
    expect({ status, paths: body.error.issues?.map(({ path }: { path: string }) => path) }).toEqual({
      status: 400,
      paths,
    });
    const right = { token, ...JANE, organization: ACME };
    expect((await openBrowser(service).post("/auth/setup/complete", right)).status).toBe(200);
  });
});

describe("the operator's link for a user", () => {
  it("sets a new password, and ends sessions and other credentials", async () => {
    const jane = await newPerson(service);
    const { token } = await makeSetupLink(service.database, jane.email);
    const browser = openBrowser(service);
    const { body } = await browser.post("/auth/setup/status", { token });
    expect(body.data).toMatchObject({ purpose: "user", user: { name: "Jane Doe", email: jane.email } });
    const password = "another long password";
    expect((await browser.post("/auth/setup/complete", { token, password })).status).toBe(200);
    const sessions = await browser.account.sessions.list.query();
    expect(sessions).toMatchObject([{ is_current: true, user_agent: "Firefox" }]);
    const signIn = (attempt: string) =>
      openBrowser(service).post("/auth/sign-in", { email: jane.email, password: attempt });
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(password)).status).toBe(200);
  });

  it("replaces an earlier one", async () => {
    const jane = await newPerson(service);
    const first = await makeSetupLink(service.database, jane.email);
    await makeSetupLink(service.database, jane.email);
    const { body } = await openBrowser(service).post("/auth/setup/status", { token: first.token });
    expect(body.error).toEqual(INVALID);
  });
});

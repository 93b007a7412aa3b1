import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandLine, type Environment, serviceEnvironment } from "./command-line.ts";
import { findersfee } from "./in-process.ts";

const PASSWORD = "correct horse battery";

let test: TestDatabase;
let environment: Environment;
let service: CommandLine;
let url: string;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url, { LOG_LEVEL: "silent" });
  service = new CommandLine(["start"], environment);
  url = await service.says(/API +(http:\S+)\/v1/);
});
afterAll(async () => {
  await service.end("SIGTERM");
  await test.close();
});

async function json(parameters: string) {
  const { stdout, stderr } = await findersfee(`${parameters} --json`, environment);
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

async function post(path: string, body: object) {
  const response = await fetch(`${url}/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Sets a password by a link. */
function complete(link: string, more: object = {}) {
  return post("setup/complete", { token: link.split("#")[1], password: PASSWORD, ...more });
}

describe("the first start", () => {
  it("prints a setup link, of which only the hash is stored, and the next start another one until there is a user", async () => {
    const link = await service.says(/Set up +(http:\S+\/setup#[\w-]{43})/);
    expect(link.startsWith(`${url}/setup#`)).toBe(true);
    const rows = await test.database`select row_to_json(setup_tokens)::text as row from setup_tokens`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(link.split("#")[1]);
    const again = new CommandLine(["start"], environment);
    await again.says(/findersfee key create/);
    await again.end("SIGTERM");
    expect(again.stdout).toMatch(/Set up +http:\S+\/setup#[\w-]{43}/);
    expect(again.stdout).not.toContain(link.split("#")[1]);
    // Somebody may have opened the first one.
    expect(await test.database`select from setup_tokens`).toHaveLength(2);
  });

  it("has its link replaced by `user link`, which creates the first user", async () => {
    const { link } = await json("user link");
    const organization = { name: "Acme", currency: "USD", time_zone: "UTC" };
    const person = { name: "Jane Doe", email: "jane@example.com", organization };
    const first = await service.says(/Set up +(http:\S+\/setup#[\w-]{43})/);
    expect((await complete(first, person)).status).toBe(404);
    expect((await complete(link, person)).status).toBe(200);
    const { stdout } = await findersfee("user list", environment);
    expect(stdout).toMatch(/^jane@example\.com +Jane Doe +active +false$/m);
    const { stderr, code } = await findersfee("user link", environment);
    expect({ stderr, code }).toEqual({
      stderr: "error: There are users. Name one with --email, or create one with `findersfee user create`.\n",
      code: 1,
    });
  });
});

describe("an operator", () => {
  it("creates a user, who sets a password by the link", async () => {
    const [organization] = await json("org list");
    const command = `user create --email Joe@Example.com --org ${organization.id} --role admin`;
    const created = await json(command);
    expect(created).toMatchObject({ email: "joe@example.com", role: "admin" });
    expect((await complete(created.link)).status).toBe(200);
    expect((await post("sign-in", { email: "joe@example.com", password: PASSWORD })).status).toBe(200);
    const again = await findersfee(command, environment);
    expect(again.stderr).toBe("error: A member of the organization has this email.\n");
    const other = await json("org create --name Other");
    const joined = await json(`user create --email joe@example.com --org ${other.organization_id}`);
    expect(joined).toMatchObject({ user_id: created.user_id, link: null });
  });

  it("disables a user, and enables them again", async () => {
    const { link } = await json("user link --email jane@example.com");
    const disabled = await json("user disable jane@example.com");
    expect(disabled).toMatchObject({ email: "jane@example.com", disabled_at: expect.any(String) });
    const signIn = () => post("sign-in", { email: "jane@example.com", password: PASSWORD });
    expect((await signIn()).status).toBe(401);
    const refused = await findersfee("user link --email jane@example.com", environment);
    expect(refused.stderr).toContain("findersfee user enable");
    await json("user enable jane@example.com");
    expect((await signIn()).status).toBe(200);
    expect((await complete(link)).status).toBe(404);
    const unknown = await findersfee("user disable nobody@example.com", environment);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("findersfee user list") });
  });

  it.each([
    ["user create --email x --org 1", "--email: Must be an email address"],
    ["user create --email a@example.com --org 1", "--org: Must be a UUID"],
    ["user link --email x", "--email: Must be an email address"],
    ["user disable x", "<email>: Must be an email address"],
  ])("is reported what is wrong: %s", async (parameters, message) => {
    const { code, stderr } = await findersfee(parameters, environment);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("org lift", () => {
  it("lifts the policies that it names, and no others", async () => {
    const [organization] = await test.database<[{ id: string }]>`select id from organizations limit 1`;
    const { id } = organization;
    await test.database`
      insert into security_policies (organization_id, second_factor_required, session_hours, staff_networks)
      values (${id}, true, 8, '{192.0.2.0/24}')`;
    expect(await json(`org lift ${id} --policies staff-networks,second-factor`)).toMatchObject({
      organization_id: id,
      staff_networks: "",
      second_factor_required: false,
      session_hours: 8,
    });
    const [policy] = await test.database`
      select second_factor_required, session_hours, staff_networks::text[] from security_policies
      where organization_id = ${id}`;
    expect(policy).toEqual({ second_factor_required: false, session_hours: 8, staff_networks: [] });
    const [entry] = await test.database`
      select actor, before, after from audit_log_entries
      where organization_id = ${id} and actor = 'operator' and before::jsonb ? 'staff_networks'`;
    expect(entry).toMatchObject({
      before: { staff_networks: ["192.0.2.0/24"] },
      after: { staff_networks: [] },
    });
  });

  it("refuses unknown policies and organizations", async () => {
    const unknown = await findersfee(`org lift ${crypto.randomUUID()} --policies everything`, environment);
    expect(unknown.stderr).toContain("Must be some of");
    const missing = await findersfee(`org lift ${crypto.randomUUID()} --policies sessions`, environment);
    expect(missing.stderr).not.toBe("");
  });
});

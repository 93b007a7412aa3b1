import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { createAuthenticator } from "@findersfee/domain/identity/api-keys/authenticate";
import { openSecret } from "@findersfee/domain/secrets/secrets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { type Environment, type Outcome, findersfee as startFindersfee } from "./command-line.ts";
import { findersfee } from "./in-process.ts";

const secrets_key = Buffer.alloc(32, 7);
const UNKNOWN = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

let test: TestDatabase;
let environment: Environment;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = { DATABASE_URL: test.url, SECRETS_KEY: secrets_key.toString("base64") };
});

afterAll(() => test.close());

/** Runs a command that must succeed, and parses its JSON. */
async function json(parameters: string | string[]) {
  const { code, stdout, stderr } = await findersfee(parameters, environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Expects an error on one line, and after wrong usage a hint on another. */
function expectFailure(outcome: Outcome, code: number, message: RegExp): void {
  expect(outcome).toMatchObject({ code, stdout: "" });
  const [first_line, ...more] = outcome.stderr.trimEnd().split("\n");
  expect(first_line).toMatch(message);
  expect(more).toEqual(code === 2 ? ["Add --help for usage."] : []);
}

describe("org", () => {
  it("creates, lists and updates organizations", async () => {
    const created = await json(["org", "create", "--name", "Acme & Söhne", "--currency", "EUR", "--json"]);
    expect(Object.keys(created)).toEqual(["organization_id", "api_key", "publishable_key"]);
    const { organization_id: id, api_key } = created;
    const { organization, scopes } = await createAuthenticator(test.database).authenticate(api_key);
    expect({ organization, scopes }).toEqual({
      organization: { id, currency: "EUR", subscription_status: "active" },
      scopes: ["read", "write"],
    });

    const updated = await json(`org update ${id} --subscription canceled --json`);
    expect(updated).toMatchObject({ id, name: "Acme & Söhne", subscription_status: "canceled" });
    expect(await json("org list --json")).toContainEqual({ ...updated, test_of: null });

    const { stdout } = await findersfee("org list", environment);
    const [header, ...lines] = stdout.trimEnd().split("\n");
    expect(header).toMatch(/^id +name +currency +subscription_status +test_of +created_at$/);
    expect(lines.find((line) => line.startsWith(id))).toMatch(/Acme & Söhne +EUR +canceled +(- +)?\d{4}-/);
  });

  it("gives an organization a quota of mails to strangers of its own", async () => {
    const { organization_id: id } = await json("org create --name Quota --json");
    for (const count of [5000, 0]) {
      const updated = await json(`org update ${id} --mails-to-strangers ${count} --json`);
      expect(updated).toMatchObject({ id, mails_to_strangers: count });
      const [row] = await test.database`select mails_to_strangers from organizations where id = ${id}`;
      expect(row).toEqual({ mails_to_strangers: count });
    }
    const entries = await test.database`
      select actor, before, after from audit_log_entries
      where organization_id = ${id} and resource = 'organization' and after -> 'mails_to_strangers' is not null order by id`;
    expect(entries).toEqual([
      { actor: "operator", before: { mails_to_strangers: null }, after: { mails_to_strangers: 5000 } },
      { actor: "operator", before: { mails_to_strangers: 5000 }, after: { mails_to_strangers: 0 } },
    ]);
  });
});

describe("key", () => {
  it("creates, lists and revokes keys", async () => {
    const { organization_id } = await json("org create --name Keys --json");
    const key = await json(
      `key create --org ${organization_id} --scopes read,write --expires 2999-12-31 --json`,
    );
    expect(key).toMatchObject({
      organization_id,
      scopes: ["read", "write"],
      expires_at: "2999-12-31T00:00:00.000Z",
    });
    expect((await createAuthenticator(test.database).authenticate(key.api_key)).key_id).toBe(key.key_id);

    const { stdout: table } = await findersfee(`key list --org ${organization_id}`, environment);
    const [header, ...lines] = table.trimEnd().split("\n");
    expect(header).toMatch(/^id +scopes +ends +state +name$/);
    expect(lines).toContain(`${key.key_id}  read,write  ${key.api_key.slice(-4)}  active  API key`);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);

    const listed = await json(`key list --org ${organization_id} --json`);
    expect(listed.map(({ id }: { id: string }) => id)).toContain(key.key_id);
    expect(listed).toHaveLength(3);
    expect(JSON.stringify(listed)).not.toContain(key.api_key);

    const { code, stdout } = await findersfee(`key revoke ${key.key_id}`, environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^revoked_at +\d{4}-\d{2}-\d{2}T/m);
    await expect(createAuthenticator(test.database).authenticate(key.api_key)).rejects.toThrow();
  });

  it("reports invalid key options", async () => {
    const { organization_id } = await json("org create --name Keys --json");
    const create = (rest: string) => findersfee(`key create --org ${organization_id} ${rest}`, environment);
    expectFailure(await create("--scopes read,track"), 2, /^error: --scopes: The scope track/);
    expectFailure(await create("--scopes staff"), 2, /^error: --scopes: Must be some/);
    expectFailure(
      await create("--scopes read --expires 2001-01-01"),
      2,
      /^error: --expires: Must be in the future/,
    );
    expectFailure(await create("--scopes read --expires tomorrow"), 2, /^error: --expires: Must be a date/);
  });
});

describe("endpoint", () => {
  it("creates an endpoint and shows its secret", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const target = `--org ${organization_id} --url https://example.com/hooks`;
    const created = await json(
      `endpoint create ${target} --events referral.created,commission.created --json`,
    );
    expect(Object.keys(created)).toEqual(expect.arrayContaining(["endpoint_id", "secret"]));
    const { endpoint_id } = created;
    const [row] = await test.database`
      select event_types, secret_encrypted from endpoints
      join endpoint_secrets on endpoint_id = endpoints.id where endpoints.id = ${endpoint_id}`;
    expect(row?.event_types).toEqual(["referral.created", "commission.created"]);
    expect(openSecret(secrets_key, { organization_id, endpoint_id }, row?.secret_encrypted)).toBe(
      created.secret,
    );
  });

  it("sets and clears an endpoint's settings, and never shows a header's value", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const base = ["--org", organization_id, "--url", "https://example.com/hooks", "--json"];
    const settings = ["--requests-per-second", "20", "--ordered", "--header", "X-Api-Key: 5f0b: very secret"];
    const created = await json(["endpoint", "create", ...base, ...settings, "--header", "X-Tenant:acme"]);
    expect(created).toMatchObject({ requests_per_second: 20, ordered: true, campaign_ids: null });
    expect(created.custom_headers).toMatchObject([{ name: "X-Api-Key" }, { name: "X-Tenant" }]);
    const id = created.endpoint_id;
    const kept = await json(["endpoint", "update", id, "--json", "--remove-header", "x-tenant"]);
    expect(kept).toMatchObject({ requests_per_second: 20, ordered: true });
    expect(kept.custom_headers).toMatchObject([{ name: "X-Api-Key" }]);
    const cleared = `endpoint update ${id} --requests-per-second unlimited --no-ordered --campaigns all --json`;
    expect(await json(cleared)).toMatchObject({
      requests_per_second: null,
      ordered: false,
      campaign_ids: null,
    });
    const { stdout } = await findersfee(`endpoint show ${id}`, environment);
    expect(stdout).toMatch(/^custom_headers +X-Api-Key$/m);
    expect(stdout).not.toContain("very secret");
  });

  it("reports invalid settings without repeating a header's value", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const base = ["endpoint", "create", "--org", organization_id, "--url", "https://example.com/hooks"];
    const create = (...rest: string[]) => findersfee([...base, ...rest], environment);
    const speed = await create("--requests-per-second", "0");
    expectFailure(speed, 2, /^error: --requests-per-second: Must be a whole number from 1 to 1000/);
    expectFailure(await create("--campaigns", "x"), 2, /^error: --campaigns: Must be a UUID/);
    expectFailure(await create("--campaigns", UNKNOWN), 2, /^error: --campaigns\[0\]: There is no campaign/);
    expectFailure(await create("--header", "s3cret"), 2, /^error: --header: Must have a name and a value/);
    const reserved = await create("--header", "Host: s3cret");
    expectFailure(reserved, 2, /^error: --header Host: This header is reserved/);
    const bytes = await create("--header", "X-Key: s3cr\u00e9t");
    expectFailure(bytes, 2, /^error: --header X-Key: Must be 1 to 4096 printable/);
    for (const { stderr } of [reserved, bytes]) expect(stderr).not.toContain("s3cr");
  });

  it("reads headers from a file", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const folder = await mkdtemp(join(tmpdir(), "findersfee-headers-"));
    const file = join(folder, "headers");
    await writeFile(file, "X-Api-Key: 5f0b\n\nAuthorization: Bearer token\n");
    const target = ["--org", organization_id, "--url", "https://example.com/hooks", "--json"];
    const created = await json(["endpoint", "create", ...target, "--header-file", file]);
    expect(created.custom_headers).toMatchObject([{ name: "X-Api-Key" }, { name: "Authorization" }]);
    await rm(folder, { recursive: true });
    expectFailure(
      await findersfee(["endpoint", "create", ...target, "--header-file", file], environment),
      2,
      /^error: --header-file: ENOENT/,
    );
  });

  it("rotates secrets with an overlap, and expires a previous one", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const target = `--org ${organization_id} --url https://example.com/hooks`;
    const { endpoint_id: id, secret } = await json(`endpoint create ${target} --json`);
    const rotated = await json(`endpoint rotate ${id} --overlap-seconds 600 --json`);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.secrets).toMatchObject([{ expires_at: null }, { expires_at: expect.any(String) }]);
    const again = await json(`endpoint rotate ${id} --json`);
    expect(again.secrets).toHaveLength(3);
    const { stdout } = await findersfee(`endpoint show ${id}`, environment);
    expect(stdout).toMatch(/^secrets +\S{36} \(current\),\S{36} \(until \S+Z\),\S{36} \(until \S+Z\)$/m);
    const former = again.secrets[2].id;
    const expired = await json(`endpoint expire-secret ${id} --secret-id ${former} --json`);
    expect(expired.secrets).toEqual(again.secrets.slice(0, 2));
    expect(JSON.stringify(expired)).not.toContain("whsec_");
    const expire = (secret_id: string) =>
      findersfee(`endpoint expire-secret ${id} --secret-id ${secret_id}`, environment);
    expectFailure(await expire(former), 1, /^error: There is no valid secret of the endpoint with this id/);
    expectFailure(await expire(again.secrets[0].id), 2, /^error: --secret-id: Must be a former secret/);
    const long = await findersfee(`endpoint rotate ${id} --overlap-seconds 2592001`, environment);
    expectFailure(long, 2, /^error: --overlap-seconds: /);
  });

  it("reports invalid endpoint options", async () => {
    const { organization_id } = await json("org create --name Hooks --json");
    const create = (rest: string, changes: Environment = {}) =>
      findersfee(`endpoint create --org ${organization_id} ${rest}`, { ...environment, ...changes });
    expectFailure(await create("--url http://example.com/"), 2, /^error: --url: Must be an https URL/);
    expectFailure(await create("--url https://example.com/ --events x"), 2, /^error: --events: /);
    expectFailure(
      await create("--url https://example.com/", { SECRETS_KEY: "" }),
      1,
      /^error: SECRETS_KEY: is required/,
    );
    expect(
      (
        await create("--url http://127.0.0.1:9999/", {
          WEBHOOK_ALLOW_HTTP: "true",
          WEBHOOK_ALLOW_PRIVATE: "1",
        })
      ).code,
    ).toBe(0);
  });
});

describe("an invalid command line", () => {
  it.each([
    ["nonsense", /^error: unknown command 'nonsense'/],
    ["org list --nonsense", /^error: unknown option '--nonsense'/],
    ["org list extra", /^error: too many arguments/],
    ["org create", /^error: required option '--name <name>' not specified/],
    ["org create --name x --currency usd", /^error: --currency: Must be an ISO 4217/],
    ["org create --name x --subscription gold", /^error: --subscription: Must be one of active/],
    [`org update ${UNKNOWN} --public-signups x`, /^error: --public-signups: /],
    [`org update ${UNKNOWN} --mails-to-strangers many`, /^error: --mails-to-strangers: /],
    [`org update ${UNKNOWN} --mails-to-strangers -1`, /^error: --mails-to-strangers: /],
    ["org create --name", /^error: option '--name <name>' argument missing/],
    ["org update 1 --subscription active", /^error: <id>: Must be a UUID/],
    ["key revoke", /^error: missing required argument 'id'/],
  ])("exits with 2: %s", async (parameters, message) => {
    expectFailure(await findersfee(parameters, environment), 2, message);
  });
});

describe("a failure", () => {
  it("exits with 1 and one line on stderr", async () => {
    const run = (parameters: string, changes: Environment = {}) =>
      findersfee(parameters, { ...environment, ...changes });
    expectFailure(
      await run(`org update ${UNKNOWN} --subscription active`),
      1,
      /^error: There is no organization with this id\.$/m,
    );
    expectFailure(await run(`key revoke ${UNKNOWN}`), 1, /^error: There is no API key with this id\.$/m);
    expectFailure(
      await run("org list", { PORT: "x" }),
      1,
      /^error: PORT=x: must be a whole number from 0 to 65535\.$/m,
    );
    const away = { DATABASE_URL: "postgres://x@127.0.0.1:1/x" };
    expectFailure(
      await run("org list", away),
      1,
      /^error: The database is unavailable: connect ECONNREFUSED/,
    );
  });
});

describe("servers that cannot listen", () => {
  const UNUSABLE: [string, Environment, RegExp][] = [
    // From the documentation range, which no machine uses.
    [
      "api",
      { HOST: "192.0.2.1", PORT: "0" },
      /^error: HOST=192\.0\.2\.1 is not an address of this machine: /,
    ],
    ["api", { HOST: "nowhere.invalid" }, /^error: HOST=nowhere\.invalid is not an address of this machine: /],
    ["worker", { HOST: "192.0.2.1", METRICS_PORT: "0" }, /^error: HOST=192\.0\.2\.1 is not an address/],
  ];

  it.each(casesOf(UNUSABLE, { short: 1 }))(
    "reports the problem and the fix: %s %o",
    async (command, changes, message) => {
      const outcome = await startFindersfee(command, { ...environment, ...changes, LOG_LEVEL: "silent" });
      expectFailure(outcome, 1, message);
    },
  );

  it.runIf(FULL_TESTS)("reports that a worker's port is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const changes = { METRICS_PORT: `${port}`, LOG_LEVEL: "silent" };
      const message = new RegExp(`^error: Port ${port} is in use: .*METRICS_PORT=`);
      expectFailure(await startFindersfee("worker", { ...environment, ...changes }), 1, message);
    } finally {
      server.close();
    }
  });
});

describe("an old Node", () => {
  it("gets the required version before anything unsupported is loaded", async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    const outcome = await startFindersfee("start", { ...environment, NODE_OPTIONS });
    expectFailure(outcome, 1, /^error: Findersfee needs Node 20\.19 or newer; this is 20\.18\.3\. /);
  });
});

describe("migrate", () => {
  it("migrates a database to this version; other commands require it", async () => {
    const empty = await createTestDatabase({ migrated: false });
    try {
      const own = { ...environment, DATABASE_URL: empty.url, PORT: "0" };
      for (const parameters of ["org list", "api"]) {
        expectFailure(
          await startFindersfee(parameters, own),
          1,
          /^error: The database lacks .*: run `findersfee migrate`\.$/m,
        );
      }
      const applied = JSON.parse((await findersfee("migrate --json", own)).stdout);
      expect(applied.applied[0]).toBe("0001_organizations");
      expect((await findersfee("migrate", own)).stdout).toBe("The schema is up to date.\n");
      expect((await findersfee("org list", own)).stdout).toBe("No organizations.\n");
      await empty.database`update schema_migrations set checksum = 'edited' where number = 1`;
      expectFailure(await startFindersfee("api", own), 1, /must not be edited/);
    } finally {
      await empty.close();
    }
  });
});

describe("help", () => {
  it.each(["--help", "org --help", "key create --help", "help start"])(
    "is printed for %s",
    async (parameters) => {
      const { code, stdout, stderr } = await findersfee(parameters, {});
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: findersfee");
    },
  );

  it("prints the version", async () => {
    expect((await findersfee("--version", {})).stdout).toBe(`${packageJson.version}\n`);
  });

  it.runIf(FULL_TESTS)("runs from its sources as well", async () => {
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", main, "--help"]);
    expect(stdout).toBe((await findersfee("--help", {})).stdout);
  });
});

/* The version before runs beside the next one, which only has more migrations, while processes are replaced under load. */
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { SECRETS_KEY, subscribe } from "@findersfee/worker/testing/subscriptions";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { addAffiliate, CAMPAIGN, type Poster, post } from "../webhooks/posting.ts";
import { Balancer } from "./balancer.ts";

/** The number of further requests that are answered after each step. */
const REQUESTS = FULL_TESTS ? 200 : 20;
const WORKS = /The worker is running/;

let test: TestDatabase;
let receiver: Receiver;
let balancer: Balancer;
let environment: Environment;
/** The next version's program. */
let next: string;
let last: string;
const running: CommandLine[] = [];

/** Migrations that the version before runs with. */
const expanding = (number: number, since: string) => {
  const head = `-- compatible since ${since}\n`;
  const outside = `${head}-- outside of a transaction\n`;
  const numbered = (add: number, name: string) => `${String(number + add).padStart(4, "0")}_${name}.sql`;
  return {
    [numbered(1, "next_column")]: `${head}alter table commissions add column next_note text;\n`,
    [numbered(2, "next_index")]:
      `${outside}create index concurrently if not exists commissions_next on commissions (organization_id, next_note);\n`,
    [numbered(3, "next_check")]:
      `${head}alter table commissions add constraint commissions_next_note check (char_length(next_note) < 100) not valid;\n`,
    [numbered(4, "next_check_validated")]:
      `${outside}alter table commissions validate constraint commissions_next_note;\n`,
  };
};

/** Copies the program's package, with more migrations; returns the copied program. */
async function withMigrations(folder: string, migrations: Record<string, string>): Promise<string> {
  const own = join(dirname(inject("program")), "..");
  await cp(own, folder, {
    recursive: true,
    filter: (path) => path !== join(own, "node_modules"),
  });
  await symlink(join(own, "node_modules"), join(folder, "node_modules"));
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(folder, "migrations", name), text);
  return join(folder, "program/main.js");
}

beforeAll(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  balancer = await Balancer.start();
  environment = serviceEnvironment(test.url, {
    RATE_LIMIT_PER_MINUTE: "0",
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
    SHUTDOWN_DELAY_SECONDS: "4",
    LOG_LEVEL: "warn",
  });
  const names = await readdir(join(dirname(inject("program")), "../migrations"));
  last = names.toSorted().at(-1)?.slice(0, 4) ?? "";
  next = await mkdtemp(join(tmpdir(), "findersfee-next-"));
});

afterAll(async () => {
  await Promise.all(running.map((program) => program.end("SIGKILL")));
  await balancer.close();
  await receiver.close();
  await rm(next, { recursive: true });
  await test.close();
});

function start(parameters: string[], { program = "", port = 0 } = {}): CommandLine {
  const settings = { ...environment, PORT: String(port) };
  const started = new CommandLine(parameters, settings, program === "" ? {} : { program });
  running.push(started);
  return started;
}

const servedAt = (api: CommandLine) => api.says(/served at (http:\S+)\/v1/);

/** Requests of several clients, in the short form of two, until they are stopped. */
class Load {
  readonly created: string[] = [];
  readonly failures: string[] = [];
  answered = 0;
  #is_over = false;
  readonly #clients: Promise<void>[];

  constructor(poster: Poster, referral_id: string) {
    const earned = { referral_id, revenue_amount: 10, commission_amount: 3 };
    const requests: [path: string, options: RequestInit][] = [
      ["/commissions", { method: "POST", body: JSON.stringify(earned) }],
      ["/commissions?limit=5", {}],
      ["/commissions", { method: "POST", body: JSON.stringify(earned) }],
      ["/affiliates?limit=5", {}],
    ];
    this.#clients = casesOf(requests, { short: 2 }).map((request) => this.#repeat(poster, request));
  }

  async #repeat(
    { url, api_key }: Poster,
    [path, options]: [path: string, options: RequestInit],
  ): Promise<void> {
    const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
    while (!this.#is_over) {
      try {
        const response = await fetch(`${url}/v1${path}`, { ...options, headers });
        const text = await response.text();
        if (response.status !== 200) this.failures.push(`${response.status} ${text.slice(0, 200)}`);
        else if (options.method === "POST") this.created.push(JSON.parse(text).data.id);
      } catch (error) {
        this.failures.push(String(error));
      }
      this.answered += 1;
    }
  }

  /** Resolves after some more requests. */
  async goesOn(): Promise<void> {
    const until = this.answered + REQUESTS;
    await eventually(() => {
      if (this.answered < until) throw new Error(`${this.answered} of ${until} requests are answered`);
    });
  }

  async stop(): Promise<void> {
    this.#is_over = true;
    await Promise.all(this.#clients);
  }
}

it("loses no request and no event while a database is migrated and processes are replaced", async () => {
  const program = await withMigrations(join(next, "compatible"), expanding(Number(last), last));
  const { organization_id, api_key } = JSON.parse(
    (await findersfee("org create --name Upgraded --json", environment)).stdout,
  );
  await subscribe(test.database, organization_id, receiver.url());
  const [old_api, other_api, old_worker] = [start(["api"]), start(["api"]), start(["worker"])];
  await old_worker.says(WORKS);
  for (const api of [old_api, other_api]) await balancer.add(await servedAt(api));
  const poster = { url: balancer.url, api_key };
  await post(poster, "/campaigns", CAMPAIGN);
  const affiliate_id = await addAffiliate(poster);
  const referral = await post(poster, "/referrals", { affiliate_id, email: "c@example.com" });
  const load = new Load(poster, referral.id);
  await load.goesOn();

  // The next version's process waits for its schema, and lives.
  const port = await freePort();
  const new_api = start(["api", "--wait-for-schema"], { program, port });
  await new_api.says(/Waiting for it/);
  const place = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${place}/healthz`)).status).toBe(200));
  const refused = await fetch(`${place}/v1/affiliates`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);

  const migrated = await start(["migrate"], { program }).outcome();
  expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
  for (const api of [old_api, other_api]) {
    const ready = await fetch(`${await servedAt(api)}/readyz`);
    expect(ready.status).toBe(200);
  }
  await load.goesOn();

  await balancer.add(place);
  expect((await old_api.end("SIGTERM")).code).toBe(0);
  await load.goesOn();
  const new_worker = start(["worker", "--wait-for-schema"], { program });
  await new_worker.says(WORKS);
  expect((await old_worker.end("SIGTERM")).code).toBe(0);
  await load.goesOn();
  // One of the version before starts, too.
  const late = start(["api"]);
  await balancer.add(await servedAt(late));
  expect(late.stdout).toContain("_next_check_validated");
  for (const api of [other_api, late]) expect((await api.end("SIGTERM")).code).toBe(0);
  await load.goesOn();
  await load.stop();

  // A process that stops listens until the balancer has seen that it is not ready.
  expect({ failures: load.failures, refused: balancer.refused }).toEqual({ failures: [], refused: 0 });
  const commissions = await test.database<{ id: string }[]>`select id from commissions`;
  expect(commissions.map(({ id }) => id).sort()).toEqual(load.created.toSorted());
  const events = await test.database<{ id: string }[]>`select id from events`;
  await receiver.has(events.length);
  expect([...new Set(receiver.ids())].sort()).toEqual(events.map(({ id }) => id).sort());
});

it("is not ready, ends its worker and starts none, once a version that it does not run with has migrated", async () => {
  const own = await createTestDatabase();
  const settings = { ...environment, DATABASE_URL: own.url };
  const [api, worker] = [new CommandLine(["api"], settings), new CommandLine(["worker"], settings)];
  running.push(api, worker);
  await worker.says(WORKS);
  const url = await servedAt(api);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const name = `${String(Number(last) + 1).padStart(4, "0")}_next_name.sql`;
  const program = await withMigrations(join(next, "incompatible"), {
    [name]: "alter table commissions rename column lead to lead_kind;\n",
  });
  expect((await new CommandLine(["migrate"], settings, { program }).outcome()).code).toBe(0);
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503));
  // A running worker ends, and another one does not start.
  for (const ended of [await worker.outcome(), await findersfee("worker", settings)]) {
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      `The database has the migrations ${name.replace(".sql", "")}, which this version does not know`,
    );
  }
  expect((await api.end("SIGTERM")).code).toBe(0);
  await own.close();
});

/* The compose file, and the configurations of PgBouncer and Caddy beside it. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocksOf, ROOT } from "@findersfee/api/testing/openapi/documents";
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { CommandLine } from "../command-line.ts";
import { Shell } from "../packaging/shell.ts";
import {
  type ComposeService,
  isInstalled,
  outcomeOf,
  readCompose,
  readDeployed,
  readImage,
} from "./files.ts";

const VARIABLES = { POSTGRES_PASSWORD: "0a1b2c", DOMAIN: "partners.example.com" };
const OURS = ["api-1", "api-2", "migrate", "worker"];

let compose: Awaited<ReturnType<typeof readCompose>>;

beforeAll(async () => {
  compose = await readCompose(VARIABLES);
});

function serviceOf(name: string): ComposeService & { environment: Record<string, string> } {
  const { environment = {}, ...service } = compose.services[name] ?? { image: "" };
  return { ...service, environment };
}

it.each(OURS)("%s runs our image, without rights, and with a valid configuration", (name) => {
  const service = serviceOf(name);
  expect(service).toMatchObject({ image: "findersfee", read_only: true, cap_drop: ["ALL"] });
  const config = readConfig({ ...service.environment, SECRETS_KEY_FILE: "" });
  expect(Number.parseInt(service.stop_grace_period ?? "", 10)).toBeGreaterThan(
    (config.SHUTDOWN_DELAY_SECONDS ?? 0) + 20,
  );
  expect(config.TRUST_PROXY).toEqual([compose.networks.default.ipam.config[0]?.subnet]);
});

it.each(OURS)(
  "%s keeps its memory of the history in a volume that belongs to the image's user",
  async (name) => {
    const { environment, volumes } = serviceOf(name);
    const { owned_folder } = await readImage();
    expect(environment.CONTINUITY_DIR).toBe(owned_folder);
    expect(volumes).toEqual([`continuity:${owned_folder}`]);
    expect(Object.keys(compose.volumes)).toContain("continuity");
  },
);

it("has no other service with our image, and names the API's processes as Caddy does", async () => {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === "findersfee");
  expect(ours.map(([name]) => name).sort()).toEqual(OURS);
  const proxied = /reverse_proxy (.*) \{/.exec(await readDeployed("compose/Caddyfile"))?.[1] ?? "";
  expect(proxied.split(" ")).toEqual(["api-1:3000", "api-2:3000"]);
  expect(serviceOf("api-1").environment.SERVICE_HOSTS).toBe("api-1,api-2");
});

it("starts each night in CI by the commands of docs/containers.md", async () => {
  const nightly = await readFile(join(ROOT, ".github/workflows/nightly.yml"), "utf8");
  const blocks = codeBlocksOf("docs/containers.md").filter(({ remark }) => /^(image|compose)$/.test(remark));
  const lines = blocks.flatMap(({ code }) => code.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(6);
  for (const line of lines) expect(nightly).toContain(line.replace("partners.example.com", "localhost"));
});

const lacks = ["pgbouncer", "caddy"].filter((command) => !isInstalled(command));
const without = lacks.length === 0 ? "" : `: skipped without ${lacks.join(" and ")}`;

it.skipIf(lacks.includes("caddy"))(
  `Caddy accepts its configuration${lacks.includes("caddy") ? without : ""}`,
  async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "Caddyfile"), await readDeployed("compose/Caddyfile"));
    const command = ["caddy", "validate", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
    const env = { DOMAIN: VARIABLES.DOMAIN, HOME: folder };
    expect((await outcomeOf(command, { env })).output).toContain("Valid configuration");
  },
);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-compose-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs a program until the test has ended. */
function run(command: string, env: Record<string, string> = {}): Shell {
  const shell = new Shell(`exec ${command}`, tmpdir(), { PATH: process.env.PATH ?? "", ...env });
  onTestFinished(() => shell.interrupt());
  return shell;
}

it.skipIf(!FULL_TESTS || lacks.length > 0)(
  `runs through PgBouncer and behind Caddy${without}`,
  async () => {
    const test = await createTestDatabase({ migrated: false });
    onTestFinished(() => test.close());
    const folder = await temporaryFolder();
    const server = new URL(test.url);
    const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    const [pool, api_1, api_2, metrics, web] = ports.map(String) as [string, string, string, string, string];
    const [major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/
      .exec((await outcomeOf(["pgbouncer", "--version"])).output)
      ?.slice(1)
      .map(Number) ?? [0, 0];
    const prepares = major > 1 || minor >= 21;
    // With the addresses, the password and the database of this machine.
    const pooler = (await readDeployed("compose/pgbouncer.ini"))
      .replace(
        "host=postgres port=5432 dbname=findersfee",
        `host=127.0.0.1 port=${server.port} dbname=${server.pathname.slice(1)}`,
      )
      .replace("listen_addr = *", "listen_addr = 127.0.0.1\nunix_socket_dir =")
      .replace("listen_port = 6432", `listen_port = ${pool}`)
      .replace("/etc/pgbouncer", folder)
      .replace(/^max_prepared_statements.*\n/m, (line) => (prepares ? line : ""));
    await writeFile(join(folder, "pgbouncer.ini"), pooler);
    await writeFile(
      join(folder, "userlist.txt"),
      compose.configs.userlist.content
        .replace("findersfee", server.username)
        .replace(VARIABLES.POSTGRES_PASSWORD, server.password),
    );
    await writeFile(join(folder, "secrets.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
    const caddyfile = (await readDeployed("compose/Caddyfile"))
      .replace("api-1:3000", `127.0.0.1:${api_1}`)
      .replace("api-2:3000", `127.0.0.1:${api_2}`);
    await writeFile(join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${caddyfile}`);
    const user = process.getuid?.() === 0 ? "setpriv --reuid 65532 --regid 65532 --clear-groups " : "";
    const pgbouncer = run(`${user}pgbouncer ${join(folder, "pgbouncer.ini")}`);
    await pgbouncer.says(/process up/);
    run(`caddy run --adapter caddyfile --config ${join(folder, "Caddyfile")}`, {
      DOMAIN: `http://127.0.0.1:${web}`,
      HOME: folder,
    });
    const start = (name: string, changes: Record<string, string> = {}): CommandLine => {
      const { command = [], environment } = serviceOf(name);
      const pooled = new URL(environment.DATABASE_URL ?? "").hostname === "pgbouncer";
      const through = `postgres://${server.username}:${server.password}@127.0.0.1:${pool}/findersfee`;
      return new CommandLine(command, {
        ...environment,
        DATABASE_URL: pooled ? through : test.url,
        DATABASE_DIRECT_URL: test.url,
        DATABASE_PREPARE: String(prepares),
        SECRETS_KEY_FILE: join(folder, "secrets.key"),
        CONTINUITY_DIR: join(folder, "continuity"),
        PUBLIC_URL: `http://127.0.0.1:${web}`,
        TRUST_PROXY: "127.0.0.1",
        SHUTDOWN_DELAY_SECONDS: "3",
        ...changes,
      });
    };
    const first = start("api-1", { PORT: api_1 });
    const second = start("api-2", { PORT: api_2 });
    const worker = start("worker", { METRICS_PORT: metrics });
    expect(await start("migrate").outcome()).toMatchObject({ code: 0 });
    await Promise.all([first.says(/served at/), second.says(/served at/), worker.says(/is running/)]);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${web}${path}`)).status;
    await eventually(async () => expect(await ask("/docs/")).toBe(200));
    expect(await ask("/metrics")).toBe(404);
    // One of both stops: no request fails.
    const stopped = first.end("SIGTERM");
    let ended = false;
    const done = stopped.then(() => {
      ended = true;
    });
    while (!ended) expect(await ask("/docs/")).toBe(200);
    await done;
    expect(await ask("/docs/")).toBe(200);
    expect(await Promise.all([stopped, second.end("SIGTERM"), worker.end("SIGTERM")])).toMatchObject([
      { code: 0 },
      { code: 0 },
      { code: 0 },
    ]);
    expect(await readdir(join(folder, "continuity"))).toEqual(["history.json"]);
  },
  180_000,
);

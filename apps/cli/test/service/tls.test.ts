import { execFileSync } from "node:child_process";
import { chownSync, copyFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";

/** Makes keys and certificates in a folder; that of `db1` is for 127.0.0.1, too. */
const CERTIFICATES = new URL("../../../../deploy/ha/certificates.sh", import.meta.url);
/** Each connection of an API process and a worker, as Postgres lists them. */
const PROGRAMS = ["findersfee api", "findersfee job queue", "findersfee listener", "findersfee worker"];

let postgres: OwnPostgres;
let folder: string;
let environment: Environment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-tls-"));
  postgres = await OwnPostgres.start();
  await makeCertificates("address", (script) => script);
  environment = serviceEnvironment(`${postgres.url}?sslmode=verify-full`, {
    NODE_EXTRA_CA_CERTS: join(folder, "address", "ca.crt"),
  });
});

afterAll(async () => {
  await postgres.remove();
  await rm(folder, { recursive: true });
});

async function makeCertificates(name: string, change: (script: string) => string): Promise<void> {
  const script = change(await readFile(CERTIFICATES, "utf8"));
  execFileSync("sh", ["-c", script, "sh", join(folder, name)], { stdio: "pipe" });
}

/** Has Postgres show the certificate of a folder from now on. */
async function serveTls(name: string): Promise<void> {
  const database = openPool(postgres.url, 1);
  const [{ cluster }] = await database<[{ cluster: string }]>`
    select setting as cluster from pg_settings where name = 'data_directory'`;
  const { uid, gid } = statSync(cluster);
  for (const end of ["crt", "key"]) {
    const file = join(cluster, `server.${end}`);
    copyFileSync(join(folder, name, `db1.${end}`), file);
    chownSync(file, uid, gid);
  }
  await database`alter system set ssl = on`;
  await database`select pg_reload_conf()`;
  await eventually(async () => expect(await database`show ssl`).toEqual([{ ssl: "on" }]));
  await database.end();
}

/** The programs whose connections all have TLS. */
async function programsWithTls(): Promise<string[]> {
  const database = openPool(postgres.url, 1);
  try {
    const rows = await database<{ name: string }[]>`
      select application_name as name from pg_stat_activity join pg_stat_ssl using (pid)
      where application_name = any (${PROGRAMS}) group by 1 having bool_and(ssl) order by 1`;
    return rows.map(({ name }) => name);
  } finally {
    await database.end();
  }
}

it("checks the certificate of a database at an address, and not whether it is for localhost", async () => {
  await serveTls("address");
  expect(await findersfee("migrate", environment)).toMatchObject({ code: 0, stderr: "" });
  const api = new CommandLine(["api"], environment);
  const worker = new CommandLine(["worker"], environment);
  try {
    await api.says(/served at (\S+)\/v1,/);
    await worker.says(/The worker is running/);
    await eventually(async () => expect(await programsWithTls()).toEqual(PROGRAMS));
  } finally {
    for (const program of [api, worker]) expect(await program.end("SIGTERM")).toMatchObject({ code: 0 });
  }
});

it.each(["org list", "migrate"])("refuses a certificate that is for localhost (%s)", async (command) => {
  await makeCertificates("name", (script) => script.replace("IP:127.0.0.1", "DNS:localhost"));
  await serveTls("name");
  const outcome = await findersfee(command, {
    ...environment,
    NODE_EXTRA_CA_CERTS: join(folder, "name", "ca.crt"),
  });
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  expect(outcome.stderr).toContain("IP: 127.0.0.1 is not in the cert's list");
});

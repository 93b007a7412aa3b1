import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "../../src/postgres/connect.ts";
import { isOutage } from "../../src/postgres/errors.ts";
import { findHost } from "../../src/postgres/find-host.ts";
import { severalHosts, urlAt } from "../../src/postgres/hosts.ts";
import { migrateQueue } from "../../src/work/queue.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { OwnPostgres } from "../own-postgres.ts";
import { OwnStandby } from "../own-standby.ts";

describe("a URL with several hosts", () => {
  it("names each with its port", () => {
    const { hosts, target_session_attrs } =
      severalHosts("postgres://u:p%40@a:5433,b,[::1]:5434/db", {}) ?? {};
    expect(hosts).toEqual([
      { host: "a", port: 5433 },
      { host: "b", port: 5432 },
      { host: "::1", port: 5434 },
    ]);
    expect(target_session_attrs).toBe("primary");
  });

  it("takes what it lacks from the environment", () => {
    const environment = { PGHOST: "a,b", PGPORT: "1,2", PGTARGETSESSIONATTRS: "read-write" };
    expect(severalHosts("postgres:///db", environment)).toEqual({
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 2 },
      ],
      target_session_attrs: "primary",
    });
    expect(severalHosts("postgres://c/db", environment)).toBeNull();
  });

  it("becomes one of one host", () => {
    const url = "postgres://u:p@a:1,b/db?target_session_attrs=primary&sslmode=require";
    expect(urlAt(url, { host: "b", port: 5432 })).toBe("postgres://u:p@b:5432/db?sslmode=require");
    expect(urlAt("postgres:///db", { host: "::1", port: 2 })).toBe("postgres://[::1]:2/db");
  });
});

describe("a primary and its standby", () => {
  let postgres: OwnPostgres;
  let standby: OwnStandby;
  let database: Database;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    standby = await OwnStandby.of(postgres);
    database = connect({ url: standby.url_of_both, poolSize: 3, prepare: true, name: "hosts test" });
    await database`create table notes (id int primary key)`;
  }, 120_000);

  afterAll(async () => {
    await database.end({ timeout: 1 });
    await standby.remove();
    await postgres.remove();
  });

  it("writes to the primary on each connection", async () => {
    const ids = Array.from({ length: 30 }, (_, id) => id);
    await Promise.all(ids.map((id) => database`insert into notes values (${id})`));
    expect(await findHost(standby.url_of_both)).toMatchObject({ port: Number(new URL(postgres.url).port) });
    await migrateQueue(standby.url_of_both);
  });

  it("passes a host that is away", async () => {
    const url = standby.url_of_both.replace("@", `@127.0.0.1:${await freePort()},`);
    const passing = connect({ url, poolSize: 3, prepare: true, name: "hosts test" });
    try {
      const answers = await Promise.all(
        Array.from({ length: 9 }, () => passing`select pg_is_in_recovery() as is_standby`),
      );
      expect(answers.map(([row]) => row?.is_standby)).toEqual(Array(9).fill(false));
    } finally {
      await passing.end({ timeout: 1 });
    }
  });

  it("fails at once while no host is a primary, and follows the standby that becomes one", async () => {
    await postgres.end("SIGKILL");
    const lost = await database`select 1`.then(
      () =>
        database`select 1`.then(
          () => null,
          (error: unknown) => error,
        ),
      (error: unknown) => error,
    );
    expect(isOutage(lost)).toBe(true);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        database`select 1`.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    expect(outcomes.every(isOutage)).toBe(true);
    await standby.promote();
    await eventually(() => database`insert into notes values (100)`);
    const rows = await Promise.all(
      Array.from({ length: 9 }, () => database`select pg_is_in_recovery() as is_standby`),
    );
    expect(rows.map(([row]) => row?.is_standby)).toEqual(Array(9).fill(false));
  });
});

it("fails when every host closes its connections, without trying for ever", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const database = connect({
    url: `postgres://u:p@127.0.0.1:${port},127.0.0.1:${port}/db`,
    poolSize: 1,
    prepare: false,
    name: "hosts test",
  });
  const error = await database`select 1`.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(isOutage(error)).toBe(true);
  expect(connections).toBe(2);
  await database.end({ timeout: 0 });
  server.close();
});

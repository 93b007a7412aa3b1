import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { OwnStandby } from "@findersfee/database/testing/own-standby";
import { PgBouncer, pgbouncerVersion } from "@findersfee/database/testing/pgbouncer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Relay } from "./relay.ts";
import { createAcme, Watched } from "./watched.ts";

let postgres: OwnPostgres;
let organization_id: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  postgres = await OwnPostgres.start();
  closing.push(() => postgres.remove());
  const sql = openPool(postgres.url, 1);
  organization_id = await createAcme(sql);
  await sql.end();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function watch(url: string, options: { prepare?: boolean; kept?: string } = {}): Promise<Watched> {
  const watched = await Watched.open(url, { ...options, organization_id });
  closing.push(() => watched.close());
  return watched;
}

/** A standby of it, and an address that leads to the primary. */
async function addStandby(): Promise<{ standby: OwnStandby; relay: Relay }> {
  const standby = await OwnStandby.of(postgres);
  closing.push(() => standby.remove());
  return { standby, relay: await addRelay() };
}

async function addRelay(): Promise<Relay> {
  const relay = await Relay.to(postgres.url);
  closing.push(() => relay.close());
  return relay;
}

it("passes a failover that lost nothing, with a time in which only a standby answers", async () => {
  const { standby, relay } = await addStandby();
  const process = await watch(relay.url);
  const ids = [await process.commit(), await process.commit()];
  await process.checked();
  await standby.catchUp();
  await postgres.end("SIGQUIT");
  relay.lead(standby.url);
  await eventually(async () => expect(await process.database`select from events`).toHaveLength(3));
  await eventually(() => expect(process.commit()).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" }));
  await standby.promote();
  ids.push(await eventually(() => process.commit()));
  await process.checked();
  expect(process.lines).toEqual([]);
  const stored = await process.database<{ id: string }[]>`select id from events order by id`;
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

it("stops at a promoted standby that lacks the last transactions, and goes on with the former primary", async () => {
  const { standby, relay } = await addStandby();
  const folder = await mkdtemp(join(tmpdir(), "findersfee-continuity-"));
  closing.push(() => rm(folder, { recursive: true }));
  const process = await watch(relay.url, { kept: folder });
  await process.commit();
  await process.checked();
  await standby.catchUp();
  await standby.end();
  const lost = await process.commit();
  await postgres.end("SIGQUIT");
  await standby.start();
  await standby.promote();
  relay.lead(standby.url);
  // A check may have seen a later position before; then that one is the first thing that is missing.
  const reason = new RegExp(`${lost}|went back from position`);
  await eventually(() => expect(process.continuity.stepBack?.reason).toMatch(reason));
  await expect(process.commit()).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" });
  const alarm = join(folder, "stepped-back.json");
  await eventually(() => access(alarm));
  // A process that starts now knows it, too, although no check has seen that event.
  const next = await watch(relay.url, { kept: folder });
  expect(next.continuity.stepBack?.reason).toMatch(reason);
  await next.close();
  expect(await standby.ask((sql) => sql`select from events`)).toHaveLength(2);
  await postgres.startAgain();
  relay.lead(postgres.url);
  await eventually(() => process.commit());
  expect(process.continuity.stepBack).toBeNull();
  await eventually(() => expect(access(alarm)).rejects.toMatchObject({ code: "ENOENT" }));
  const after = await watch(relay.url, { kept: folder });
  expect(after.continuity.stepBack).toBeNull();
});

it("passes lost connections and restarts", async () => {
  const process = await watch(postgres.url);
  for (let times = 0; times < 5; times++) {
    await process.commit();
    await eventually(
      () => process.database`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name in ('findersfee watched', 'findersfee test') and pid <> pg_backend_pid()`,
    );
    await eventually(() => process.commit());
  }
  await postgres.end("SIGINT");
  await postgres.startAgain();
  await eventually(() => process.commit());
  await process.checked();
  expect(process.lines).toEqual([]);
});

it("fails each statement in time while the server does not answer the check", async () => {
  const relay = await addRelay();
  const process = await watch(relay.url);
  await process.commit();
  relay.lead(null);
  await eventually(() => expect(process.database`select 1 for update`).rejects.toThrow());
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => process.commit()));
  expect(ends.every(({ status }) => status === "rejected")).toBe(true);
  await expect(process.commit()).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" });
  relay.lead(postgres.url);
  await eventually(() => process.commit());
  expect(process.continuity.stepBack).toBeNull();
});

it.runIf(pgbouncerVersion() !== null)("finds a step back behind PgBouncer, and passes restarts", async () => {
  const bouncer = await PgBouncer.start(postgres.url, { server_login_retry: "0.2" });
  closing.push(() => bouncer.stop());
  const process = await watch(bouncer.url, { prepare: false });
  await process.commit();
  await process.checked();
  await postgres.end("SIGINT");
  await postgres.copyData();
  await postgres.startAgain();
  await eventually(() => process.commit());
  await process.checked();
  expect(process.lines.filter(({ level }) => level === "error")).toEqual([]);
  await process.commit();
  await postgres.end("SIGQUIT");
  await postgres.putCopyBack();
  await postgres.startAgain();
  await eventually(() => expect(process.continuity.stepBack).not.toBeNull());
  await expect(process.commit()).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" });
});

import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../src/embedded/embedded.ts";
import { connect, type Database } from "../src/postgres/connect.ts";
import { ATTEMPTS, CLICKS, makePartitions } from "../src/postgres/partitions.ts";
import { migrate } from "../src/schema/migrate.ts";
import { migrateQueue } from "../src/work/queue.ts";
import { allowRecycling } from "./recycling.ts";
import { administer, databaseUrl } from "./test-database.ts";

/** Nothing has to survive a test run, and many tests open pools of their own at the same time. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };

/**
 * One Postgres for the whole run, with a migrated template database that each test file gets a copy of.
 * TEST_DATABASE_URL names one that runs already, by a role that may create databases.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL
    ? { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
    : await startServer();
  const run = randomBytes(6).toString("hex");
  const template = `findersfee_template_${run}`;
  const copies = `findersfee_test_${run}_`;
  const unpartitioned = `${template}_unpartitioned`;
  await administer(server.url, (sql) => sql.unsafe(`create database ${unpartitioned}`));
  await inDatabase(databaseUrl(server.url, unpartitioned), migrate);
  await migrateQueue(databaseUrl(server.url, unpartitioned));
  await administer(server.url, (sql) => sql.unsafe(`create database ${template} template ${unpartitioned}`));
  // Each worker that starts would create them, for half of the processor time of a start.
  await inDatabase(databaseUrl(server.url, template), async (database) => {
    await makePartitions(database, ATTEMPTS);
    await makePartitions(database, CLICKS);
    await allowRecycling(database);
  });
  project.provide("test_server", { url: server.url, template, unpartitioned, copies });
  return async () => {
    for (const name of [template, unpartitioned, ...(await databasesOf(server.url, copies))]) {
      await administer(server.url, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
    }
    await server.stop();
  };
}

/** The databases that a prefix names: those that test files share, and those that crashed processes left. */
async function databasesOf(url: string, prefix: string): Promise<string[]> {
  const names: string[] = [];
  await administer(url, async (sql) => {
    const rows = await sql<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${prefix})`;
    names.push(...rows.map(({ datname }) => datname));
  });
  return names;
}

async function inDatabase(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = connect({ url, poolSize: 1, prepare: true, name: "findersfee test template" });
  await work(database);
  await database.end();
}

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-test-"));
  // As root, Postgres runs as another user, which has to pass through.
  await chmod(folder, 0o711);
  const embedded = await startEmbedded({ data_dir: folder, settings: SETTINGS });
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      await rm(folder, { recursive: true });
    },
  };
}

import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../src/embedded/embedded.ts";
import { connect } from "../src/postgres/connect.ts";
import { migrate } from "../src/schema/migrate.ts";
import { migrateQueue } from "../src/work/queue.ts";
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
  const template = `findersfee_template_${randomBytes(6).toString("hex")}`;
  await administer(server.url, (sql) => sql.unsafe(`create database ${template}`));
  const database = connect({
    url: databaseUrl(server.url, template),
    poolSize: 1,
    prepare: true,
    name: "findersfee test template",
  });
  await migrate(database);
  await database.end();
  await migrateQueue(databaseUrl(server.url, template));
  project.provide("test_server", { url: server.url, template });
  return async () => {
    await administer(server.url, (sql) => sql.unsafe(`drop database if exists ${template} with (force)`));
    await server.stop();
  };
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

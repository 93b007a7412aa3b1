import { randomBytes } from "node:crypto";
import { startEmbedded } from "@findersfee/database/embedded/embedded";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { migrate } from "@findersfee/database/schema/migrate";

/** The product's own default, for every pool here. */
export const POOL_SIZE = 10;

/** The Postgres server shared by all questions. */
export interface PostgresServer {
  /** Its version and settings, for printing. */
  description: string;
  /** Creates a migrated database; returns its address. */
  createDatabase(): Promise<string>;
  /** Restarts the server and returns the new database address. Null for an external server. */
  restart: ((database_url: string) => Promise<string>) | null;
  /** Drops the databases, and stops the server if it was started here. */
  stop(): Promise<void>;
}

/** Starts an embedded Postgres in the folder, as the product runs it, unless an address is given. */
export async function startServer(database_url: string | null, folder: string): Promise<PostgresServer> {
  const start = () => startEmbedded({ data_dir: folder });
  let server = database_url === null ? await start() : { url: database_url, stop: async () => {} };
  const names: string[] = [];
  return {
    description: await withConnection(server.url, describeServer),
    createDatabase: async () => {
      const name = `findersfee_bench_${randomBytes(6).toString("hex")}`;
      await withConnection(server.url, (sql) => sql.unsafe(`create database ${name}`));
      names.push(name);
      const url = databaseUrl(server.url, name);
      await withConnection(url, (sql) => migrate(sql));
      return url;
    },
    restart:
      database_url !== null
        ? null
        : async (url) => {
            await server.stop();
            server = await start();
            return databaseUrl(server.url, new URL(url).pathname.slice(1));
          },
    stop: async () => {
      for (const name of names) {
        await withConnection(server.url, (sql) => sql.unsafe(`drop database ${name} with (force)`));
      }
      await server.stop();
    },
  };
}

function databaseUrl(server_url: string, name: string): string {
  const url = new URL(server_url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs `work` on a separate connection. */
export async function withConnection<Result>(
  url: string,
  work: (sql: Database) => PromiseLike<Result>,
): Promise<Result> {
  const sql = connect({ url, poolSize: 1, prepare: true, name: "findersfee bench" });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function describeServer(sql: Database): Promise<string> {
  const [{ version, settings }] = await sql<[{ version: string; settings: string }]>`
    select split_part(version(), ' on ', 1) as version,
      (select string_agg(name || ' ' || current_setting(name), ', ' order by name) from pg_settings
        where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers')) as settings`;
  return `${version}, ${settings}`;
}

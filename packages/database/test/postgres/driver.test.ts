import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../eventually.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

/*
 * Faults of postgres.js that its patch repairs; patches/README.md names the hunk of each test. Each query that must settle
 * races with `LATE`, because the faults leave it pending.
 */

const LATE = 30_000;

let test: TestDatabase;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
  await test.close();
});

/** Options that the types of postgres.js do not have. */
type Options = postgres.Options<Record<string, never>> & Record<string, unknown>;

function open(url: string, options: Options): postgres.Sql {
  const sql = postgres(url, {
    fetch_types: false,
    backoff: () => 0.05,
    max: 1,
    onnotice: () => {},
    ...options,
  } as Options);
  cleanups.push(() => sql.end({ timeout: 0 }));
  return sql;
}

/** A pool of one connection, and the sockets that it opened. */
function openWithSockets(): { sql: postgres.Sql; sockets: Socket[] } {
  const { hostname, port } = new URL(test.url);
  const sockets: Socket[] = [];
  const socket = async () => {
    const created = new Socket();
    created.connect(Number(port), hostname);
    await once(created, "connect");
    sockets.push(created);
    return created;
  };
  return { sql: open(test.url, { socket, max_pipeline: 0 }), sockets };
}

/** The error code of a query, `ok`, or `late`. */
function outcome(query: PromiseLike<unknown>): Promise<string> {
  return Promise.race([
    Promise.resolve(query).then(
      () => "ok",
      ({ code }) => String(code),
    ),
    new Promise<string>((resolve) => setTimeout(resolve, LATE, "late")),
  ]);
}

async function backendOf(sql: postgres.ISql): Promise<number> {
  const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
  return pid;
}

async function startsToSleep(pid: number): Promise<void> {
  await eventually(async () =>
    expect(
      await test.database`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`,
    ).toHaveLength(1),
  );
}

/** The code of a request to cancel a query, in place of the version of the protocol. */
const CANCEL_REQUEST = 80877102;
/** Longer than a query has after its cancellation. */
const SLOW_START = 3_500;

/** Passes the first connection on at once and later ones after `SLOW_START`, but no request to cancel. */
async function startSlowProxy() {
  const { hostname, port } = new URL(test.url);
  const sockets: Socket[] = [];
  let onCancel = () => {};
  const asked_to_cancel = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const server = createServer(async (client) => {
    const is_first = sockets.length === 0;
    sockets.push(client.on("error", () => {}));
    const [start] = (await once(client, "data")) as [Buffer];
    if (start.readUInt32BE(4) === CANCEL_REQUEST) return onCancel();
    if (!is_first) await new Promise((resolve) => setTimeout(resolve, SLOW_START));
    const upstream = connect(Number(port), hostname).on("error", () => {});
    sockets.push(upstream);
    upstream.write(start);
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  cleanups.push(async () => {
    cut();
    server.close();
  });
  const url = new URL(test.url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return { url: url.href, asked_to_cancel, cut };
}

function fault(): Error {
  return Object.assign(new Error("reset"), { code: "ECONNRESET" });
}

describe("a reset connection", () => {
  it("rejects a query between its error and its end, then reconnects", async () => {
    const { sql, sockets } = openWithSockets();
    await sql`select 1`;
    const [socket] = sockets;
    if (socket === undefined) throw new Error("no socket");
    const between = new Promise<string>((resolve) => {
      socket.on("error", () => resolve(outcome(sql`select 2`)));
    });
    // From here, the socket closes before the query is written.
    setImmediate(() => socket.destroy(fault()));
    expect(await between).toBe("CONNECTION_CLOSED");
    expect(await outcome(sql`select 3`)).toBe("ok");
    expect(sockets).toHaveLength(2);
  });

  it("can be ended after it lost a query", async () => {
    const { sql, sockets } = openWithSockets();
    const pid = await backendOf(sql);
    const sleeping = outcome(sql`select pg_sleep(60)`);
    await startsToSleep(pid);
    const [socket] = sockets;
    if (socket === undefined) throw new Error("no socket");
    const closed = once(socket, "close").catch(() => once(socket, "close"));
    socket.destroy(fault());
    expect(await sleeping).toBe("ECONNRESET");
    await closed;
    expect(await outcome(sql.end())).toBe("ok");
  });

  it("rejects the queued queries of its transaction", async () => {
    const { sql, sockets } = openWithSockets();
    const outcomes: Promise<string>[] = [];
    const transaction = outcome(
      sql.begin(async (inside) => {
        const pid = await backendOf(inside);
        outcomes.push(
          outcome(inside`select pg_sleep(60)`),
          outcome(inside`select 1`),
          outcome(inside`select 2`),
        );
        await startsToSleep(pid);
        sockets[0]?.destroy();
        await new Promise(() => {});
      }),
    );
    expect(await transaction).toBe("CONNECTION_CLOSED");
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill("CONNECTION_CLOSED"));
  });

  it("rejects later queries of its reservation", async () => {
    const sql = open(test.url, { max: 2 });
    await sql`select 1`;
    const reserved = await sql.reserve();
    await test.database`select pg_terminate_backend(${await backendOf(reserved)})`;
    expect(await outcome(reserved`select 1`)).not.toBe("ok");
    expect(await outcome(reserved`select 2`)).toBe("CONNECTION_CLOSED");
  });
});

it("rejects a query whose connection ends during startup", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => server.close());
  const { port } = server.address() as { port: number };
  const sql = open(`postgres://user@127.0.0.1:${port}/database`, {});
  expect(await outcome(sql`select 1`)).toBe("CONNECTION_CLOSED");
});

it("reserves the connection of a transaction that fills its pipeline", async () => {
  const sql = open(test.url, { max: 2, max_pipeline: 0 });
  expect(await outcome(sql.begin((inside) => inside`select 1`))).toBe("ok");
});

describe("query_timeout", () => {
  it("starts for a pipelined query when the query before it ends", async () => {
    const sql = open(test.url, { query_timeout: 3 });
    await sql`select 1`;
    const first = outcome(sql`select pg_sleep(0.5)`);
    const second = outcome(sql`select pg_sleep(60)`);
    expect(await Promise.all([first, second])).toEqual(["ok", "57014"]);
  });

  it("keeps no process running whose connection is lost", async () => {
    const program = `
      import postgres from "postgres";
      const sql = postgres(process.argv[1], { fetch_types: false, max: 1, query_timeout: 600 });
      await sql\`select 1\`;
      await sql\`select pg_terminate_backend(pg_backend_pid())\`.catch(() => {});
      await sql.end();
      console.log("ended");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, test.url], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    cleanups.push(async () => void child.kill("SIGKILL"));
    expect(String(await once(child.stdout, "data"))).toBe("ended\n");
    expect(await exit).toEqual([0, null]);
  });

  it("does not end the next connection, which may take longer to start", async () => {
    const proxy = await startSlowProxy();
    const sql = open(proxy.url, { query_timeout: 1 });
    await sql`select 1`;
    // The server cannot be asked to cancel it, so 3 s later the connection would be closed.
    const stuck = outcome(sql`select pg_sleep(60)`);
    await proxy.asked_to_cancel;
    proxy.cut();
    expect(await stuck).not.toBe("ok");
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

it("releases sent queries", async () => {
  const { default: createQueue } = await import(new URL("queue.js", import.meta.resolve("postgres")).href);
  const queue = createQueue();
  queue.push("first");
  const started = performance.now();
  for (let count = 0; count < 200_000; count++) {
    queue.push("next");
    queue.shift();
    // As the pool does with each connection that it takes from a queue.
    queue.remove("absent");
  }
  expect(performance.now() - started).toBeLessThan(5_000);
});

it("gives the next query another backend than one that was asked to cancel", async () => {
  const sql = open(test.url, { max_pipeline: 0 });
  const backend = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await backend();
  const canceled = sql`select pg_sleep(30)`.execute();
  const ended = outcome(canceled);
  await eventually(async () => expect(canceled).toHaveProperty("active", true));
  canceled.cancel();
  expect(await ended).toBe("57014");
  expect(await backend()).not.toBe(before);
  // It is the same pool of one connection.
  expect(await backend()).toBe(await backend());
});

it("goes on if the server cannot be asked to cancel a query", async () => {
  const { hostname, port } = new URL(test.url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) sockets.push(socket.on("error", () => {}));
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(test.url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", onUnhandled);
  cleanups.push(async () => void process.off("unhandledRejection", onUnhandled));

  const sql = open(url.href, { max_pipeline: 0 });
  const canceled = sql`select pg_sleep(30)`.execute();
  const ended = outcome(canceled);
  await eventually(async () => expect(canceled).toHaveProperty("active", true));
  server.close();
  canceled.cancel();
  // The server also refuses a later connection, so it had refused the request's.
  const later = connect(Number(url.port), url.hostname);
  const [refused] = await once(later, "error").catch((error: unknown) => [error]);
  expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  for (const socket of sockets) socket.destroy();
  expect(await ended).toBe("CONNECTION_CLOSED");
  expect(unhandled).toEqual([]);
});

it("opens no connection after its end", async () => {
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    client.once("data", () => client.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => void server.close());
  const url = `postgres://u:p@127.0.0.1:${(server.address() as { port: number }).port}/db`;
  const lost = async (seconds: number) => {
    const sql = open(url, { backoff: () => seconds });
    expect(await outcome(sql`select 1`)).toBe("CONNECTION_CLOSED");
    // It waits before it connects again.
    return { sql, second: outcome(sql`select 2`) };
  };
  // Long enough to end the first one before it connects again, on a slow machine too.
  const ended = await lost(2);
  const other = await lost(3);
  await ended.sql.end({ timeout: 0 });
  expect(await ended.second).toBe("CONNECTION_DESTROYED");
  // The other one has waited longer.
  expect(await other.second).toBe("CONNECTION_CLOSED");
  expect(connections).toBe(3);
});

import { type AddressInfo, connect, createServer } from "node:net";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openQueuePool } from "../../src/work/queue-pool.ts";

let test: TestDatabase;
let faulty: FaultyPostgres;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
  faulty = await FaultyPostgres.before(test.url);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await faulty.close();
  await test.close();
});

it.each(["cut_before", "cut_after", "error_after", "error_before"] as const)(
  "connects again if its connection to one of several hosts ends before it is used (%s)",
  async (kind) => {
    faulty.follow(({ sql }) => (/as is_standby/.test(sql) && faulty.failed.length === 0 ? kind : null));
    const { host } = new URL(faulty.url);
    const url = faulty.url.replace(host, `${host},${host}`);
    const pool = openQueuePool({ url, limits: null, log: pino({ level: "silent" }), size: 1 });
    closed.push(() => pool.end());
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", onUncaught);
    closed.push(async () => void process.off("uncaughtException", onUncaught));
    await expect(pool.query("select 1")).rejects.toThrow();
    expect(faulty.failed).toHaveLength(1);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  },
);

const READY = Buffer.from("5a0000000549", "hex");

/** What a server sends before it ends a connection: a message of type E with its fields. */
function farewell(): Buffer {
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0");
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

it("connects again if the server ends right behind its greeting", async () => {
  const { hostname, port } = new URL(test.url);
  let has_ended = false;
  const dying = createServer((client) => {
    const server = connect(Number(port), hostname);
    let startup = "";
    client.on("data", (chunk) => {
      startup += startup === "" ? chunk.toString("latin1") : "";
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      const ends = !has_ended && !startup.includes("findersfee hosts") && chunk.indexOf(READY) !== -1;
      client.write(ends ? Buffer.concat([chunk, farewell()]) : chunk);
      if (!ends) return;
      has_ended = true;
      client.end();
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => dying.listen(0, "127.0.0.1", resolve));
  closed.push(async () => void dying.close());
  const place = `127.0.0.1:${(dying.address() as AddressInfo).port}`;
  const url = test.url.replace(`${hostname}:${port}`, `${place},${place}`);
  const pool = openQueuePool({ url, limits: null, log: pino({ level: "silent" }), size: 1 });
  closed.push(() => pool.end());
  await expect(pool.query("select 1")).rejects.toThrow();
  expect(has_ended).toBe(true);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Database } from "../src/connect.ts";
import { clusterFolder } from "../src/embedded/cluster.ts";
import { findPostmaster } from "../src/embedded/postmaster.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/embedded.ts";
import { migrate } from "../src/migrate.ts";

/** A Postgres that a test may do anything to. It comes back at the same address. */
export class OwnPostgres {
  private readonly data_dir: string;
  private running: EmbeddedPostgres;
  /** What `freeze` stopped. */
  private frozen: number[] = [];

  private constructor(data_dir: string, running: EmbeddedPostgres) {
    this.data_dir = data_dir;
    this.running = running;
  }

  static async start(): Promise<OwnPostgres> {
    const data_dir = await mkdtemp(join(tmpdir(), "findersfee-outage-"));
    await chmod(data_dir, 0o711);
    const postgres = new OwnPostgres(data_dir, await startEmbedded({ data_dir }));
    const database = openPool(postgres.url, 1);
    await migrate(database);
    await database.end();
    return postgres;
  }

  get url(): string {
    return this.running.url;
  }

  /** `SIGINT` ends its sessions in order, `SIGQUIT` at once; `SIGKILL` is a crash. */
  async end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    process.kill(await this.pid(), signal);
    await this.running.ended;
    await this.running.stop();
  }

  async startAgain(): Promise<void> {
    const before = this.url;
    this.running = await startEmbedded({ data_dir: this.data_dir });
    if (this.url !== before) throw new Error("another process took the port of the test's Postgres");
  }

  /** Every process of it stops answering, and every connection stays. */
  async freeze(): Promise<void> {
    const database = openPool(this.url, 1);
    const rows = await database<{ pid: number }[]>`
      select pid from pg_stat_activity where pid <> pg_backend_pid()`;
    await database.end();
    this.frozen = [await this.pid(), ...rows.map(({ pid }) => pid)];
    for (const pid of this.frozen) process.kill(pid, "SIGSTOP");
  }

  thaw(): void {
    for (const pid of this.frozen.splice(0)) process.kill(pid, "SIGCONT");
  }

  async remove(): Promise<void> {
    this.thaw();
    if ((await findPostmaster(clusterFolder(this.data_dir))) !== null) await this.end("SIGINT");
    await rm(this.data_dir, { recursive: true });
  }

  private async pid(): Promise<number> {
    const postmaster = await findPostmaster(clusterFolder(this.data_dir));
    if (postmaster === null) throw new Error("the test's Postgres does not run");
    return postmaster.pid;
  }
}

export function openPool(url: string, poolSize: number): Database {
  return connect({ url, poolSize, prepare: true, name: "findersfee outage test" });
}

/** ReadyForQuery, which ends the answer to a statement; the transaction's state follows. */
const READY = Buffer.from([90, 0, 0, 0, 5]);

/** A way to Postgres that can be cut, or go silent. */
export class DatabaseProxy {
  readonly url: string;
  /** Answers of the server so far, one for each statement. */
  answers = 0;
  /** A statement whose connection is cut before it arrives, or after it took effect and before its answer comes. */
  loses: { what: "statement" | "answer"; number: number } | null = null;
  private is_silent = false;
  private readonly close_server: () => Promise<void>;
  private readonly sockets: Set<Socket>;

  private constructor(url: string, sockets: Set<Socket>, close_server: () => Promise<void>) {
    this.url = url;
    this.sockets = sockets;
    this.close_server = close_server;
  }

  static async to(target: string): Promise<DatabaseProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      if (proxy.is_silent) {
        sockets.add(client);
        client.on("error", () => {}).on("close", () => sockets.delete(client));
        return;
      }
      const upstream = connectSocket({ host: hostname, port: Number(port) });
      for (const [from, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on("error", () => {});
        from.on("close", () => {
          sockets.delete(from);
          other.destroy();
        });
      }
      client.on("data", (data) => {
        if (proxy.isLost("statement", proxy.answers + 1)) client.resetAndDestroy();
        else upstream.write(data);
      });
      upstream.on("data", (data) => {
        if (data.subarray(-6, -1).equals(READY)) proxy.answers += 1;
        if (proxy.isLost("answer", proxy.answers)) client.resetAndDestroy();
        else client.write(data);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    const url = new URL(target);
    url.port = `${address.port}`;
    const proxy = new DatabaseProxy(
      url.href,
      sockets,
      () => new Promise((resolve) => server.close(() => resolve())),
    );
    return proxy;
  }

  /**
   * A network partition: nothing comes through any more, no connection is closed, and new ones are taken and not
   * answered.
   */
  silence(): void {
    this.is_silent = true;
    for (const socket of this.sockets) socket.removeAllListeners("data").pause();
  }

  /** Connections work again from now on; those that were silenced stay so. */
  restore(): void {
    this.is_silent = false;
  }

  private isLost(what: "statement" | "answer", number: number): boolean {
    return this.loses?.what === what && this.loses.number === number;
  }

  /** Resets every connection, wherever it stands. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    await this.close_server();
  }
}

/** Waits until `probe` answers something else than null, and returns that. */
export async function eventually<Result>(
  milliseconds: number,
  probe: () => Promise<Result | null>,
): Promise<Result> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const result = await probe();
    if (result !== null) return result;
    if (performance.now() > deadline) throw new Error(`it did not happen within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

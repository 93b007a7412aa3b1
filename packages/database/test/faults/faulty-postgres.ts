import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { FAULT_KINDS, type FaultKind } from "./kinds.ts";
import { Session } from "./session.ts";

/** A call of a client: all that it sends until Postgres is ready for the next; or the beginning of a session. */
export interface Call {
  /** Counted from 1 over all connections, from when the plan began. */
  number: number;
  /** `connect` for the beginning of a session. */
  sql: string;
  /** Whether its session is in a transaction before it. */
  in_transaction: boolean;
}

export interface FailedCall extends Call {
  kind: FaultKind;
}

/** Chooses how a call fails, or null: it does not. */
export type Plan = (call: Call) => FaultKind | null;

/**
 * A proxy in front of Postgres that makes calls fail. It numbers the calls of all connections in one order, and its plan
 * chooses a fault for each. Without a plan, all calls succeed.
 */
export class FaultyPostgres {
  readonly url: string;
  /** Calls since the plan began. */
  calls = 0;
  /** Calls that were made to fail since then. */
  failed: FailedCall[] = [];
  readonly #server: Server;
  readonly #sessions: Set<Session>;
  #plan: Plan | null = null;

  private constructor(url: string, server: Server, sessions: Set<Session>) {
    this.url = url;
    this.#server = server;
    this.#sessions = sessions;
  }

  /** Begins in front of the Postgres at this address. */
  static async before(target: string): Promise<FaultyPostgres> {
    const { hostname, port } = new URL(target);
    const sessions = new Set<Session>();
    const server = createServer({ noDelay: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    const url = new URL(target);
    url.hostname = "127.0.0.1";
    url.port = `${address.port}`;
    const proxy = new FaultyPostgres(url.href, server, sessions);
    server.on("connection", (client) => {
      const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
      const session = new Session(client, upstream, (...call) => proxy.#decide(...call));
      sessions.add(session);
      upstream.on("close", () => sessions.delete(session));
    });
    return proxy;
  }

  /**
   * Follows a plan from the next call on. `() => "hang_before"` is a network partition: no call is answered, and no
   * connection ends.
   */
  follow(plan: Plan): void {
    this.calls = 0;
    this.failed = [];
    this.#plan = plan;
  }

  /** Ends the fault: nothing fails any more, and hanging calls go on. */
  lift(): void {
    this.#plan = null;
    for (const session of this.#sessions) session.release();
  }

  /** Connections on which nothing comes through until the fault is lifted. */
  get hanging(): number {
    return [...this.#sessions].filter((session) => session.is_silent).length;
  }

  /** Resets every connection, wherever it stands. */
  cut(): void {
    for (const session of this.#sessions) session.cut();
  }

  async close(): Promise<void> {
    this.lift();
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #decide(sql: string, in_transaction: boolean): FaultKind | null {
    this.calls += 1;
    const call = { number: this.calls, sql, in_transaction };
    const kind = this.#plan?.(call) ?? null;
    if (kind !== null) this.failed.push({ ...call, kind });
    return kind;
  }
}

/** One call fails. */
export function failNth(number: number, kind: FaultKind): Plan {
  return (call) => (call.number === number ? kind : null);
}

/** Each call fails with this probability; `random` is as `Math.random`. */
export function failRandomly(
  random: () => number,
  { rate, kinds = FAULT_KINDS }: { rate: number; kinds?: readonly FaultKind[] },
): Plan {
  return () => (random() < rate ? (kinds[Math.floor(random() * kinds.length)] ?? null) : null);
}

import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import { addressProblem, createLookup, nameProblem, resolvePublic } from "./guard.ts";
import { type ProxyConfig, Tunnels } from "./proxy.ts";
import { createResolveName, type ResolveName } from "./resolve-name.ts";

export interface ConnectionOptions {
  allow_private: boolean;
  timeout_milliseconds: number;
  /** PEM of authorities beyond the public ones. */
  ca?: string;
  /** `127.0.0.1:5353`: instead of the system's name servers. */
  name_servers?: string[];
  /** While so many connections are open, none is kept for a next request. */
  kept_connections?: number;
  /** All connections go through it. */
  proxy?: ProxyConfig | undefined;
}

/** Subscribers without number would leave an open connection each. */
const KEPT_CONNECTIONS = 2_000;

/**
 * Node tries the addresses of a name one after another, and gives up on each after so long; its own 250 ms
 * are too short for the other side of the world (nodejs/node#54359).
 */
const ADDRESS_MILLISECONDS = 2_000;

/** undici's timer for connecting may come so much too early; the attempt's own deadline is to come first. */
const CONNECT_TIMER_MILLISECONDS = 1_000;

/** The connections of one sender: where they may go, and how many there are. */
export class Connections {
  /** As undici's Agent wants it. */
  readonly connect: buildConnector.connector;
  /**
   * True while a new connection is handed to undici, which writes the first request on it before it returns:
   * a request that begins at another time is on a connection that has served before.
   */
  is_opening = false;
  #open = 0;
  readonly #allow_private: boolean;
  readonly #kept_connections: number;
  readonly #tunnels: Tunnels | null;

  constructor(options: ConnectionOptions) {
    const { allow_private } = options;
    this.#allow_private = allow_private;
    this.#kept_connections = options.kept_connections ?? KEPT_CONNECTIONS;
    const names = resolverOf(options, allow_private);
    const resolve = allow_private ? names : resolvePublic(names);
    this.#tunnels = tunnelsOf(options, resolve);
    const direct = connectorOf(options, resolve);
    const connect = this.#tunnels?.through(direct) ?? direct;
    this.connect = (options, callback) => {
      const { hostname } = options;
      // No look-up is made for a host that is an address itself.
      const problem = allow_private || isIP(hostname) === 0 ? null : addressProblem(hostname);
      if (problem !== null) {
        queueMicrotask(() => callback(problem, null));
        return;
      }
      connect(options, (error, socket) => {
        if (error !== null) callback(error, null);
        else this.#handOver(socket, callback);
      });
    };
  }

  /** There are so many that the next ones are to be closed after their request. */
  get are_many(): boolean {
    return this.#open >= this.#kept_connections;
  }

  /** Breaks off connections that are being opened; undici closes its open ones. */
  async destroy(): Promise<void> {
    await this.#tunnels?.destroy();
  }

  #handOver(socket: Socket, callback: buildConnector.Callback): void {
    const problem = this.#problem(socket);
    if (problem !== null) {
      socket.destroy();
      callback(problem, null);
      return;
    }
    this.#open += 1;
    socket.once("close", () => {
      this.#open -= 1;
    });
    this.is_opening = true;
    try {
      callback(null, socket);
    } finally {
      this.is_opening = false;
    }
  }

  #problem(socket: Socket): Error | null {
    const { remoteAddress } = socket;
    if (socket.destroyed || remoteAddress === undefined) {
      return Object.assign(new Error("the connection was closed at once"), { code: "ECONNRESET" });
    }
    // The other end is the proxy, which may have a private address.
    if (this.#tunnels !== null) return null;
    // Judged before it was connected to; what really is at the other end is judged once more.
    return this.#allow_private ? null : addressProblem(remoteAddress);
  }
}

function resolverOf(
  { timeout_milliseconds, name_servers }: ConnectionOptions,
  local_names: boolean,
): ResolveName {
  return createResolveName({
    local_names,
    timeout_milliseconds,
    ...(name_servers === undefined ? {} : { name_servers }),
  });
}

/**
 * Tunnels through the proxy, if there is one. Unless it resolves names, it gets addresses that were checked here,
 * so that no name leads it into a private network.
 */
function tunnelsOf(options: ConnectionOptions, resolve: ResolveName): Tunnels | null {
  const { proxy, allow_private } = options;
  if (proxy === undefined) return null;
  const hosts = async (hostname: string) => {
    if (isIP(hostname) !== 0) return [hostname];
    if (!proxy.resolves_names) return (await resolve(hostname)).map(({ address }) => address);
    const problem = allow_private ? null : nameProblem(hostname);
    if (problem !== null) throw problem;
    return [hostname];
  };
  return new Tunnels(proxy, { ...options, hosts, resolve_proxy: resolverOf(options, true) });
}

function connectorOf(
  { timeout_milliseconds, ca }: ConnectionOptions,
  resolve: ResolveName,
): buildConnector.connector {
  return buildConnector({
    timeout: timeout_milliseconds + CONNECT_TIMER_MILLISECONDS,
    lookup: createLookup(resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MILLISECONDS,
    allowH2: false,
    minVersion: "TLSv1.2",
    maxCachedSessions: 1_000,
    ...(ca === undefined ? {} : { ca }),
  });
}

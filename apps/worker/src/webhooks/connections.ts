import { isIP, type Socket } from "node:net";
import { createDnsResolver, type DnsResolver } from "@findersfee/domain/webhooks/endpoints/dns-resolver";
import {
  addressProblem,
  createLookup,
  nameProblem,
  resolvePublic,
} from "@findersfee/domain/webhooks/endpoints/public-addresses";
import { buildConnector } from "undici";
import { type ProxyConfig, Tunnels } from "./proxy.ts";

export interface ConnectionOptions {
  allow_private: boolean;
  timeout_milliseconds: number;
  /** PEM of authorities beyond the public ones. */
  ca?: string;
  /** Name servers to use instead of the system's, such as `127.0.0.1:5353`. */
  name_servers?: string[];
  /** While this many connections are open, each one is closed after its request. */
  max_idle_connections?: number;
  /** The proxy of all connections. */
  proxy?: ProxyConfig | undefined;
}

/** Without a limit, each subscriber would leave an idle connection. */
const MAX_IDLE_CONNECTIONS = 2_000;

/**
 * Node tries the addresses of a name one after another, with this timeout for each. Its default of 250 ms is too short
 * for distant servers (nodejs/node#54359).
 */
const ADDRESS_MILLISECONDS = 2_000;

/** undici's connect timer can fire this much too early, and the deadline of the attempt must come first. */
const CONNECT_TIMER_MILLISECONDS = 1_000;

/** Opens the connections of one sender, checks their addresses and counts them. */
export class Connections {
  /** The connector for undici's Agent. */
  readonly connect: buildConnector.connector;
  /**
   * True while undici receives a new connection. It writes the first request before it returns, so a request that
   * starts at another time uses an existing connection.
   */
  is_opening = false;
  #open = 0;
  readonly #allow_private: boolean;
  readonly #max_idle_connections: number;
  readonly #tunnels: Tunnels | null;

  constructor(options: ConnectionOptions) {
    const { allow_private } = options;
    this.#allow_private = allow_private;
    this.#max_idle_connections = options.max_idle_connections ?? MAX_IDLE_CONNECTIONS;
    const names = resolverOf(options, allow_private);
    const resolve = allow_private ? names : resolvePublic(names);
    this.#tunnels = tunnelsOf(options, resolve);
    const direct = connectorOf(options, resolve);
    const connect = this.#tunnels?.through(direct) ?? direct;
    this.connect = (options, callback) => {
      const { hostname } = options;
      // A host that is an address itself is not resolved.
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

  /** Whether the limit is reached, so that connections are closed after their request. */
  get is_full(): boolean {
    return this.#open >= this.#max_idle_connections;
  }

  /** Aborts connection attempts. undici closes the open connections. */
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
      return Object.assign(new Error("the connection was closed immediately"), { code: "ECONNRESET" });
    }
    // The other end is the proxy, which may have a private address.
    if (this.#tunnels !== null) return null;
    // The resolved address was checked before; this checks the connected one.
    return this.#allow_private ? null : addressProblem(remoteAddress);
  }
}

function resolverOf(
  { timeout_milliseconds, name_servers }: ConnectionOptions,
  local_names: boolean,
): DnsResolver {
  return createDnsResolver({
    local_names,
    timeout_milliseconds,
    ...(name_servers === undefined ? {} : { name_servers }),
  });
}

/**
 * Opens tunnels through the proxy, if there is one. Unless the proxy resolves names, it gets addresses that were checked
 * here, so that no name leads it into a private network.
 */
function tunnelsOf(options: ConnectionOptions, resolve: DnsResolver): Tunnels | null {
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
  resolve: DnsResolver,
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

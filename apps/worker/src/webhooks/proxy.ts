import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import { isIPv6, Socket } from "node:net";
import type { AttemptErrorCode } from "@findersfee/contract/webhooks/deliveries";
import type { DnsResolver } from "@findersfee/domain/webhooks/endpoints/dns-resolver";
import { createLookup } from "@findersfee/domain/webhooks/endpoints/public-addresses";
import { buildConnector, Pool } from "undici";

/** The HTTP proxy of all deliveries. */
export interface ProxyConfig {
  /** `http://proxy.example.com:3128`, or `https://…`. */
  origin: string;
  /** The value of `Proxy-Authorization`; null without credentials. */
  authorization: string | null;
  /** The proxy gets names instead of addresses, resolves them, and blocks private addresses itself. */
  resolves_names: boolean;
}

/** The proxy opened no tunnel to a receiver. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly error_code: AttemptErrorCode;

  constructor(error_code: AttemptErrorCode, message: string) {
    super(message);
    this.error_code = error_code;
  }
}

export interface TunnelOptions {
  /** The hosts to request from the proxy for a receiver; rejects if deliveries to it are blocked. */
  hosts: (hostname: string) => Promise<string[]>;
  /** Resolves the proxy's own name; its address may be private. */
  resolve_proxy: DnsResolver;
  /** The deadline of a whole attempt. Connecting to the proxy may take a third of it, and opening a tunnel two thirds. */
  timeout_milliseconds: number;
  /** PEM of authorities beyond the public ones. */
  ca?: string;
}

/** Addresses to try of a name. Each unreachable one costs at least a round trip to the proxy. */
const MAX_ADDRESSES = 3;
const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };
/**
 * The proxy did not reach the receiver; the receiver's next address may work. For a receiver that refuses connections or has no
 * address, Squid responds with 503 and Smokescreen with 502; after a timeout, with 504.
 */
const UNREACHABLE: Record<number, AttemptErrorCode> = { 502: "refused", 503: "refused", 504: "timeout" };
/** In `Proxy-Status`: an error of the proxy itself (RFC 9209, 2.3). */
const OWN_ERROR = /;\s*error=proxy_/;

/** Opens tunnels through a proxy (CONNECT; RFC 9110, 9.3.6), for http and https receivers alike. */
export class Tunnels {
  readonly #proxy: Pool;
  readonly #authorization: string | null;
  readonly #hosts: TunnelOptions["hosts"];
  readonly #limit: number;
  /** When the proxy last answered, on the monotonic clock. */
  #answered_at = Number.NEGATIVE_INFINITY;

  constructor(
    { origin, authorization }: Pick<ProxyConfig, "origin" | "authorization">,
    { hosts, resolve_proxy, timeout_milliseconds, ca }: TunnelOptions,
  ) {
    this.#authorization = authorization;
    this.#hosts = hosts;
    this.#limit = Math.ceil((timeout_milliseconds * 2) / 3);
    const connect = buildConnector({
      timeout: Math.ceil(timeout_milliseconds / 3),
      lookup: createLookup(resolve_proxy),
      autoSelectFamily: true,
      allowH2: false,
      minVersion: "TLSv1.2",
      ...(ca === undefined ? {} : { ca }),
    });
    this.#proxy = new Pool(origin, {
      // undici takes the receiver's name for the proxy's; without one, TLS uses the name in the proxy's URL.
      connect: ({ servername: _, ...options }, callback) => connect(options, callback),
      connections: null,
      headersTimeout: 0,
      maxHeaderSize: 16 * 1024,
    });
  }

  /** Wraps a connector: it does TLS over a tunnel; for plain HTTP the tunnel is the connection. */
  through(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      const { hostname, protocol, port } = options;
      this.#open(hostname, port || (DEFAULT_PORTS[protocol] ?? "")).then(
        (socket) => {
          if (protocol === "https:") connect({ ...options, httpSocket: socket }, callback);
          else callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    };
  }

  /** Aborts tunnels that are being opened. Open tunnels belong to their users. */
  async destroy(): Promise<void> {
    await this.#proxy.destroy();
  }

  /** Rejects with a ProxyError, or with the error of resolving the name. */
  async #open(hostname: string, port: string): Promise<Socket> {
    const signal = AbortSignal.timeout(this.#limit);
    const hosts = await this.#hosts(hostname);
    let error = new ProxyError("dns", `${hostname} has no address`);
    for (const host of hosts.slice(0, MAX_ADDRESSES)) {
      const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
      const { status, headers, socket } = await this.#connect(authority, signal);
      if (status >= 200 && status < 300) return socket;
      socket.destroy();
      const why = `the webhook proxy answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
      error = new ProxyError(codeOf(status, headers), `${why} to CONNECT ${authority}`);
      if (error.error_code === "proxy") break;
    }
    throw error;
  }

  #connect(authority: string, signal: AbortSignal): Promise<TunnelAnswer> {
    const asked_at = performance.now();
    const credentials = this.#authorization === null ? {} : { "proxy-authorization": this.#authorization };
    const headers = { host: authority, ...credentials };
    return new Promise((resolve, reject) => {
      const fail = (code: AttemptErrorCode, why: string) =>
        reject(new ProxyError(code, `the webhook proxy opened no tunnel to ${authority}: ${why}`));
      this.#proxy.connect({ path: authority, headers, signal }, (error, answer) => {
        if (error !== null && signal.aborted) {
          // If the proxy responded to others since, it waits for this receiver; otherwise the proxy itself hangs.
          const code = this.#answered_at > asked_at ? "timeout" : "proxy";
          fail(code, `no answer within ${this.#limit} ms`);
        } else if (error !== null) fail("proxy", reasonOf(error));
        else if (!(answer.socket instanceof Socket)) fail("proxy", "no connection");
        else {
          this.#answered_at = performance.now();
          const { statusCode: status, headers, socket } = answer;
          // Until the tunnel's user adds a listener, an error would end the process.
          resolve({ status, headers, socket: socket.on("error", () => {}) });
        }
      });
    });
  }
}

/** The proxy's answer to CONNECT. */
interface TunnelAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  socket: Socket;
}

/** `Retry-After` says that the proxy itself is unavailable (RFC 9110, 15.6.4). */
function codeOf(status: number, headers: IncomingHttpHeaders): AttemptErrorCode {
  const { "retry-after": retry_after, "proxy-status": proxy_status } = headers;
  if (retry_after !== undefined || OWN_ERROR.test(String(proxy_status ?? ""))) return "proxy";
  return UNREACHABLE[status] ?? "proxy";
}

/** Only the code: the message may name the proxy's address, and endpoint owners see it. */
function reasonOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "its answer is not HTTP";
}

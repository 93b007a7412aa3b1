import { type CustomHeaders, isReservedHeader } from "@findersfee/domain/webhooks/endpoints/custom-headers";
import { Agent, type Dispatcher } from "undici";
import { Connections } from "./connections.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { AttemptOutcome } from "./outcome.ts";
import type { ProxyConfig } from "./proxy.ts";
import { createTargetOf, type Target } from "./send-target.ts";

export type { AttemptOutcome } from "./outcome.ts";

export interface SenderOptions {
  allow_http: boolean;
  allow_private: boolean;
  user_agent_version: string;
  timeout_milliseconds?: number;
  /** PEM of authorities beyond the public ones. */
  ca?: string;
  /** Name servers to use instead of the system's, such as `127.0.0.1:5353`. */
  name_servers?: string[];
  /** While this many connections are open, each one is closed after its request. */
  max_idle_connections?: number;
  /** The proxy of all requests. */
  proxy?: ProxyConfig | undefined;
}

export interface WebhookRequest {
  url: string;
  id: string;
  /** Unix time in seconds. */
  timestamp: number;
  signature: string;
  body: string;
  /** The header of the same name, if the attempt is recorded. */
  traceparent?: string | undefined;
  /** The validated headers of the endpoint's owner; reserved names are not sent. */
  headers?: CustomHeaders;
}

/** Sends webhooks over keep-alive connections. */
export interface Sender {
  /** Never rejects: an error of a receiver or the network is an outcome. */
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Aborts the attempts in flight. */
  destroy(): void;
  /** Resolves when the connections are closed. */
  close(): Promise<void>;
}

/** The deadline of the whole attempt: DNS, connection, TLS, headers and body. */
const TIMEOUT_MILLISECONDS = 15_000;
const KEEP_ALIVE_MILLISECONDS = 4_000;

/** Creates a sender: one client for all receivers. A client per delivery would run out of sockets. */
export function createSender(options: SenderOptions): Sender {
  const timeout_milliseconds = options.timeout_milliseconds ?? TIMEOUT_MILLISECONDS;
  const connections = new Connections({ ...options, timeout_milliseconds });
  const agent = createAgent(connections);
  const user_agent = `Findersfee-Webhooks/${options.user_agent_version}`;
  const targetOf = createTargetOf(options);
  return {
    send: (request) =>
      new Promise((resolve) => {
        const target = targetOf(request.url);
        if (target.problem !== null) {
          resolve(blockedOutcome(target.problem));
          return;
        }
        const request_options = dispatchOptions(target, request, user_agent);
        const dispatch = (exchange: HttpExchange) => {
          agent.dispatch(
            connections.is_full ? { ...request_options, reset: true } : request_options,
            exchange,
          );
        };
        new HttpExchange({ timeout_milliseconds, connections, dispatch, resolve }).start();
      }),
    destroy: () => void close(agent, connections),
    close: () => close(agent, connections),
  };
}

async function close(agent: Agent, connections: Connections): Promise<void> {
  await Promise.all([agent.destroy(), connections.destroy()]);
}

function createAgent({ connect }: Connections): Agent {
  return new Agent({
    connect,
    // Endpoints of one host must not wait for one another: each endpoint has its own limit.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
    // The exchange has one deadline; each byte would restart these two timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}

function dispatchOptions(
  { origin, path }: Extract<Target, { problem: null }>,
  { id, timestamp, signature, body, traceparent, headers }: WebhookRequest,
  user_agent: string,
): Dispatcher.DispatchOptions {
  const all: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": user_agent,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!isReservedHeader(name)) all[name] = value;
  }
  // The endpoint's owner may have set the header to a value of their own.
  if (traceparent !== undefined && !namesHeader(headers, "traceparent")) all.traceparent = traceparent;
  return { origin, path, method: "POST", headers: all, body };
}

function namesHeader(headers: CustomHeaders | undefined, wanted: string): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === wanted);
}

function blockedOutcome(reason: string): AttemptOutcome {
  return {
    delivered: false,
    status: null,
    error_code: "blocked_address",
    error_message: reason,
    response: "",
    retry_after_seconds: null,
    gone: false,
    duration_milliseconds: 0,
  };
}

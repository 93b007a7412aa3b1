import { endpointUrlProblem } from "@findersfee/domain/webhooks/endpoint-url";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { Exchange, type SendResult } from "./exchange.ts";
import { createLookup, literalProblem } from "./guard.ts";
import type { AttemptOutcome } from "./outcome.ts";

export type { AttemptOutcome } from "./outcome.ts";

export interface SenderOptions {
  allow_http: boolean;
  allow_private: boolean;
  user_agent_version: string;
  timeout_milliseconds?: number;
  /** PEM of authorities beyond the public ones. */
  ca?: string;
  /** `127.0.0.1:5353`: instead of the system's name servers. */
  name_servers?: string[];
}

export interface WebhookRequest {
  url: string;
  id: string;
  /** Unix time in seconds. */
  timestamp: number;
  signature: string;
  body: string;
}

/** Makes attempts over connections that it keeps for a while. */
export interface Sender {
  /** Never rejects: whatever a receiver or the network does is an outcome. */
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Breaks off what is in flight. */
  destroy(): void;
  /** Resolves when the connections are closed. */
  close(): Promise<void>;
}

/** Over everything: look-up, connection, TLS, headers, body (webhooks, what counts as what). */
const TIMEOUT_MILLISECONDS = 15_000;
const KEEP_ALIVE_MILLISECONDS = 4_000;

export function createSender(options: SenderOptions): Sender {
  const timeout = options.timeout_milliseconds ?? TIMEOUT_MILLISECONDS;
  const agent = createAgent(options, timeout);
  const user_agent = `Findersfee-Webhooks/${options.user_agent_version}`;
  const exchange = (request: WebhookRequest, url: URL) =>
    new Promise<SendResult>((resolve) => {
      const handler = new Exchange({ timeout, resolve });
      try {
        agent.dispatch(dispatchOptions(request, { url, user_agent }), handler);
      } catch (error) {
        handler.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
      }
    });
  return {
    send: async (request) => {
      const started_at = performance.now();
      const url = new URL(request.url);
      const problem = endpointUrlProblem(request.url, options);
      const blocked = problem ?? (options.allow_private ? null : literalProblem(url.hostname));
      if (blocked !== null) return blockedOutcome(blocked);
      let result = await exchange(request, url);
      // A kept connection that its server closed just as we wrote to it: not the receiver's failure.
      if (result.was_closed_kept_connection && performance.now() - started_at < timeout / 2) {
        result = await exchange(request, url);
      }
      return { ...result.outcome, duration_milliseconds: performance.now() - started_at };
    },
    destroy: () => void agent.destroy(),
    close: () => agent.destroy(),
  };
}

function createAgent(options: SenderOptions, timeout: number): Agent {
  const { allow_private, name_servers, ca } = options;
  const lookup = createLookup({
    allow_private,
    timeout_milliseconds: timeout,
    ...(name_servers === undefined ? {} : { name_servers }),
  });
  const connect = buildConnector({
    timeout,
    lookup,
    minVersion: "TLSv1.2",
    maxCachedSessions: 1_000,
    ...(ca === undefined ? {} : { ca }),
  });
  return new Agent({
    connect,
    // Receivers of one host must not wait for one another here: each endpoint has its own bound.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
    // The exchange has its own deadline over everything; these two would each begin anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
}

function dispatchOptions(
  { id, timestamp, signature, body }: WebhookRequest,
  { url, user_agent }: { url: URL; user_agent: string },
): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": user_agent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
    },
    body,
  };
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

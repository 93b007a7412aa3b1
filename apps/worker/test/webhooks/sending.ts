import { expect, onTestFinished } from "vitest";
import {
  createSender,
  type Sender,
  type SenderOptions,
  type WebhookRequest,
} from "../../src/webhooks/send.ts";
import { RawServer, type Script } from "../raw-server.ts";

/** The time limit of an attempt that ends by it; in earnest, it is 15 s. */
export const TIMEOUT = 1_000;
/** That of an attempt that ends by itself: on a busy machine the process of a test stands still for seconds. */
const PATIENCE = 10_000;
/** The further time that a busy machine may take. An attempt without a deadline would not end at all. */
const TOLERANCE = 10_000;

export const OPEN = { allow_http: true, allow_private: true, user_agent_version: "1.2.3" };
export const CLOSED = { ...OPEN, allow_private: false };

/** Closes something when the test is over. The last that was opened is closed first. */
export function afterTest(close: () => Promise<void>): void {
  onTestFinished(close);
}

export function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ ...OPEN, timeout_milliseconds: PATIENCE, ...options });
  afterTest(() => made.close());
  return made;
}

export async function server(
  script: Script,
  tls: { key: string; cert: string } | null = null,
): Promise<RawServer> {
  const started = await RawServer.start(script, tls);
  afterTest(() => started.close());
  return started;
}

export async function send(through: Sender, url: string, changes: Partial<WebhookRequest> = {}) {
  const outcome = await through.send({
    url,
    id: "evt_1",
    timestamp: 1614265330,
    signature: "v1,abc",
    body: '{"a":1}',
    ...changes,
  });
  expect(outcome.duration_milliseconds).toBeLessThan(TIMEOUT + TOLERANCE);
  return outcome;
}

/** The outcome of one attempt at a server with this script. */
export async function attempt(script: Script) {
  const target = await server(script);
  return await send(sender(), `http://127.0.0.1:${target.port}/hooks`);
}

/** The outcome of one attempt at a server that does wrong: its only connection is not kept, and it is asked once. */
export async function faultyAttempt(script: Script, timeout_milliseconds = PATIENCE) {
  const target = await server(script);
  const outcome = await send(sender({ timeout_milliseconds }), `http://127.0.0.1:${target.port}/hooks`);
  await target.isAlone();
  expect({ requests: target.requests, connections: target.connections }).toEqual({
    requests: 1,
    connections: 1,
  });
  return outcome;
}

/** The same at a server that does not end its answer. */
export async function lateAttempt(script: Script) {
  return await faultyAttempt(script, TIMEOUT);
}

export function answer(head: string, body = ""): Script {
  return (socket) =>
    socket.write(`HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

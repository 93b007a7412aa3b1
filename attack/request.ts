import { connect, type Socket } from "node:net";
import type { Target } from "./attack.ts";

/** The user agent of a browser. */
export const BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export interface AttackResponse {
  status: number;
  body: unknown;
}

interface Sent {
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown;
}

/** Sends a request to the target, like a browser without a key. */
export async function send(
  target: Target,
  path: string,
  { method, headers, body }: Sent = {},
): Promise<AttackResponse> {
  const response = await fetch(target.url + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { "user-agent": BROWSER, "content-type": "application/json", ...headers },
    signal: target.signal,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: parseBody(response.headers.get("content-type"), text) };
}

/** JSON is parsed, and other bodies stay texts. */
export function parseBody(content_type: string | null | undefined, text: string): unknown {
  return content_type?.startsWith("application/json") === true ? JSON.parse(text) : text;
}

/** Calls an operation of the REST API with the organization's secret key. Throws on an error. */
export async function callApi(
  target: Target,
  path: string,
  sent: Sent = {},
): Promise<Record<string, unknown>> {
  const headers = { ...sent.headers, authorization: `Bearer ${target.api_key}` };
  const { status, body } = await send(target, `/v1${path}`, { ...sent, headers });
  if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
  return fieldsOf(body);
}

/** The fields of a JSON object. Throws for anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value));
  throw new Error(`expected an object, not ${JSON.stringify(value)}`);
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error(`expected a string, not ${JSON.stringify(value)}`);
}

export function listOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.map(fieldsOf);
  throw new Error(`expected an array, not ${JSON.stringify(value)}`);
}

/** A request with only its head and the first byte of its body sent. */
export interface SlowRequest {
  /** The response's status, once there is one. */
  status(): number | null;
  close(): void;
}

/**
 * Opens connections that each send the head of a POST and then nothing more; waits until all have sent it.
 */
export async function sendSlowly(
  target: Target,
  count: number,
  { path, headers = {} }: { path: string; headers?: Record<string, string> },
): Promise<SlowRequest[]> {
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  // A service with PUBLIC_URL refuses other hosts at once.
  const { host } = new URL(target.url);
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join("")}content-length: 1000\r\n\r\n{`;
  return await Promise.all(Array.from({ length: count }, () => openSlowly(target, head)));
}

/** The time for a busy service to send its first rejections. */
const PATIENCE_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 50;

/** Waits until a condition holds, or until the service had enough time for it. */
export async function waitUntil({ signal }: Target, isMet: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await isMet()) && !signal.aborted && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

function openSlowly({ url, signal }: Target, head: string): Promise<SlowRequest> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || 80,
      signal,
    });
    let status: number | null = null;
    let is_open = false;
    socket.on("data", (chunk) => {
      status ??= Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(chunk.toString("latin1"))?.[1] ?? Number.NaN);
    });
    // A connection that the service closed has been repelled; one that it never accepted is a failure of the
    // attack.
    socket.on("error", (error) => {
      if (!is_open) reject(error);
    });
    socket.write(head, () => {
      is_open = true;
      resolve({ status: () => status, close: () => socket.destroy() });
    });
  });
}

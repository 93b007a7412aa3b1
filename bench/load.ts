/*
 * Question: how many requests does a server answer in a period, and how long does each take?
 *
 * The load generator runs in its own process on the same machine as the measured server, so it is as cheap as
 * possible: plain sockets with keep-alive, one request in flight per connection, text joined from prebuilt
 * parts; of the response it reads only status and length. Any unexpected status is an error.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { runJobs } from "./jobs.ts";
import { type Measurement, startMeasurement, type Until, untilOver } from "./measurement.ts";
import { type SignedEvents, signedEvents } from "./tracking/signed-events.ts";

export interface LoadJob {
  port: number;
  connections: number;
  until: Until;
  /**
   * The rate of all connections together; without it, each sends the next request as soon as it has the
   * response.
   */
  per_second?: number;
  send: CommissionPosts | Gets | AffiliateGets | Clicks | SignedEvents;
}

/** `POST /v1/commissions`, each with a unique key and payment, for random referrals. */
export interface CommissionPosts {
  kind: "post-commissions";
  api_key: string;
  referral_ids: string[];
}

/** `GET` of these paths in turn. */
export interface Gets {
  kind: "get";
  api_key: string;
  paths: string[];
}

/** `GET` of a path of the portal by these affiliates in turn. */
export interface AffiliateGets {
  kind: "get-as-affiliates";
  path: string;
  affiliates: { id: string; cookie: string }[];
}

/** Visitors' requests, for link codes in turn: `POST /track/click`, or `GET /r/{code}`. */
export interface Clicks {
  kind: "post-clicks" | "follow-links";
  publishable_key: string;
  codes: string[];
  /** The place of all links. */
  sub_id?: string;
}

const HEAD_MAXIMUM = 4096;

runJobs(load);

async function load({ port, connections, until, per_second, send }: LoadJob): Promise<Measurement> {
  const next = requestsOf(send);
  const status = send.kind === "follow-links" ? 302 : 200;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const measurement = startMeasurement();
  const goesOn = untilOver(until);
  try {
    await Promise.all(
      sockets.map((socket, number) =>
        exchange(socket, {
          next,
          goesOn,
          record: measurement.record,
          status,
          due:
            per_second === undefined
              ? () => performance.now()
              : everySoOften(connections / per_second, number / per_second),
        }),
      ),
    );
    return measurement.finish();
  } finally {
    for (const { socket } of sockets) socket.destroy();
  }
}

function requestsOf(send: LoadJob["send"]): () => string {
  switch (send.kind) {
    case "get":
      return getRequests(send);
    case "get-as-affiliates":
      return affiliateRequests(send);
    case "post-commissions":
      return postRequests(send);
    case "post-stripe-events":
      return signedEvents(send);
    case "post-clicks":
      return byVisitors(send.codes.map((code) => clickPost(send, code)));
    case "follow-links":
      return byVisitors(
        send.codes.map((code) => {
          const sub = send.sub_id === undefined ? "" : `&sub=${send.sub_id}`;
          return `GET /r/${code}?key=${send.publishable_key}${sub} HTTP/1.1\r\n${VISITOR}\r\n`;
        }),
      );
  }
}

/** The parts of a browser's request that the service reads. */
const VISITOR =
  "host: bench\r\nuser-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\nreferer: https://blog.example/a-post\r\n";

function clickPost({ publishable_key, sub_id }: Clicks, code: string): string {
  const page = { url: "https://example.com/pricing", referrer: "https://blog.example/" };
  const body = JSON.stringify({ key: publishable_key, code, sub: sub_id, ...page });
  return `POST /track/click HTTP/1.1\r\n${VISITOR}origin: https://example.com\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** A counter over all connections; each process starts elsewhere. */
let visitor = process.pid << 16;

/** Each request comes from another address: a visitor's repeated click on a link writes nothing. */
function byVisitors(requests: readonly string[]): () => string {
  const parts = requests.map((request) => {
    const line = request.indexOf("\r\n");
    return { line: request.slice(0, line), rest: request.slice(line) };
  });
  return () => {
    const { line, rest } = parts[visitor % parts.length] ?? { line: "", rest: "" };
    const address = `10.${(visitor >>> 16) & 255}.${(visitor >>> 8) & 255}.${visitor & 255}`;
    visitor = (visitor + 1) >>> 0;
    return `${line}\r\nx-forwarded-for: ${address}${rest}`;
  };
}

function inTurn(requests: readonly string[]): () => string {
  let sent = 0;
  return () => requests[sent++ % requests.length] ?? "";
}

/** The schedule of one connection's requests: the interval in seconds, and the time of the first. */
function everySoOften(seconds: number, first: number): () => number {
  let due = performance.now() + first * 1000;
  return () => {
    const now = due;
    due += seconds * 1000;
    return now;
  };
}

function getRequests({ api_key, paths }: Gets): () => string {
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${api_key}\r\n\r\n`,
  );
  return inTurn(requests);
}

function affiliateRequests({ path, affiliates }: AffiliateGets): () => string {
  const requests = affiliates.map(
    ({ id, cookie }) =>
      `GET ${path} HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\nfindersfee-affiliate: ${id}\r\n\r\n`,
  );
  return inTurn(requests);
}

function postRequests({ api_key, referral_ids }: CommissionPosts): () => string {
  const run = randomBytes(6).toString("hex");
  let sent = 0;
  const body = (referral_id: string, number: string) =>
    `{"referral_id":"${referral_id}","revenue_amount":100,"commission_amount":30,"processor_payment_id":"pi_${run}_${number}"}`;
  // All requests have the same length, since ids and numbers do.
  const number = () => String(sent++).padStart(9, "0");
  const length = body(referral_ids[0] ?? "", number()).length;
  const head = `POST /v1/commissions HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${api_key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nidempotency-key: ${run}-`;
  return () => {
    const referral_id = referral_ids[Math.floor(Math.random() * referral_ids.length)] ?? "";
    const own = number();
    return `${head}${own}\r\n\r\n${body(referral_id, own)}`;
  };
}

interface OpenSocket {
  socket: Socket;
  /** Called with each chunk, which is valid only during the call. */
  listen: (onChunk: (buffer: Buffer, bytes: number) => void) => void;
}

/** A socket that reads into its own buffer, so that chunks cost no allocation. */
function open(port: number): Promise<OpenSocket> {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let onChunk: (buffer: Buffer, bytes: number) => void = () => {};
  return new Promise((resolve, reject) => {
    const callback = (bytes: number) => {
      onChunk(buffer, bytes);
      return true;
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    socket.once("error", reject);
    socket.once("connect", () => {
      const listen: OpenSocket["listen"] = (listener) => {
        onChunk = listener;
      };
      resolve({ socket, listen });
    });
  });
}

interface Exchange {
  next: () => string;
  goesOn: () => boolean;
  record: (milliseconds: number) => void;
  /** The expected status of each response. */
  status: number;
  /** When to send the next request; the latency of a late request counts from then. */
  due: () => number;
}

/** Sends requests one after another until `stop` is called. */
function exchange(
  { socket, listen }: OpenSocket,
  { next, goesOn, record, status, due }: Exchange,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent_at = 0;
    const send = () => {
      if (!goesOn()) return resolve();
      socket.write(next(), "latin1");
    };
    const sendWhenDue = () => {
      sent_at = due();
      const wait_milliseconds = sent_at - performance.now();
      if (wait_milliseconds > 0) setTimeout(send, wait_milliseconds);
      else send();
    };
    const onAnswer = (refusal: string | null) => {
      if (refusal !== null) return reject(new Error(`not ${status}:\n${refusal}`));
      record(performance.now() - sent_at);
      sendWhenDue();
    };
    listen(answerReader(status, onAnswer));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed the connection")));
    sendWhenDue();
  });
}

/** Detects the end of a response, and returns its start if the status differs. */
function answerReader(
  status: number,
  onAnswer: (refusal: string | null) => void,
): (buffer: Buffer, bytes: number) => void {
  const beginning = `HTTP/1.1 ${status}`;
  let text = "";
  let received_bytes = 0;
  let total_bytes = 0;
  return (buffer, bytes) => {
    received_bytes += bytes;
    if (total_bytes === 0 || !text.startsWith(beginning)) {
      text += buffer.toString("latin1", 0, Math.min(bytes, HEAD_MAXIMUM - text.length));
      total_bytes = answerBytes(text);
    }
    if (total_bytes === 0 || received_bytes < total_bytes) return;
    const refusal = text.startsWith(beginning) ? null : text;
    text = "";
    received_bytes = 0;
    total_bytes = 0;
    onAnswer(refusal);
  };
}

/** The length of head and body, from the head; 0 while the head is incomplete. */
function answerBytes(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end >= 0) {
    const length = /\r\ncontent-length: ([0-9]+)/i.exec(text)?.[1];
    if (length !== undefined) return end + 4 + Number(length);
    throw new Error(`no content-length:\n${text}`);
  }
  if (text.length >= HEAD_MAXIMUM) throw new Error(`unterminated head:\n${text}`);
  return 0;
}

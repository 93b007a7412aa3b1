/*
 * Answers: how many requests does a server answer in a while, and how long does each take?
 *
 * The load generator, a process of its own that shares the machine with what it measures, and is therefore
 * as cheap as can be: plain sockets with keep-alive, one request in flight on each, text glued from
 * prebuilt parts, and of the answer nothing read but status and length. Any status but 200 fails.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { answerJobs } from "./jobs.ts";
import { type Measurement, startMeasurement, type Until, untilOver } from "./measurement.ts";

export interface LoadJob {
  port: number;
  connections: number;
  until: Until;
  send: CommissionPosts | Gets;
}

/** `POST /v1/commissions`, each with a key and a payment of its own, for referrals picked at random. */
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

const HEAD_MAXIMUM = 4096;

answerJobs(load);

async function load({ port, connections, until, send }: LoadJob): Promise<Measurement> {
  const next = send.kind === "get" ? getRequests(send) : postRequests(send);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const measurement = startMeasurement();
  const goesOn = untilOver(until);
  try {
    await Promise.all(
      sockets.map((socket) => exchange(socket, { next, goesOn, record: measurement.record })),
    );
    return measurement.finish();
  } finally {
    for (const { socket } of sockets) socket.destroy();
  }
}

function getRequests({ api_key, paths }: Gets): () => string {
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${api_key}\r\n\r\n`,
  );
  let sent = 0;
  return () => requests[sent++ % requests.length] ?? "";
}

function postRequests({ api_key, referral_ids }: CommissionPosts): () => string {
  const run = randomBytes(6).toString("hex");
  let sent = 0;
  const body = (referral_id: string, number: string) =>
    `{"referral_id":"${referral_id}","revenue_amount":100,"commission_amount":30,"processor_payment_id":"pi_${run}_${number}"}`;
  // All requests are of one length, since ids and numbers are.
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
  /** Called with each chunk, which is valid only until the call returns. */
  listen: (onChunk: (buffer: Buffer, bytes: number) => void) => void;
}

/** A socket that reads into one buffer of its own, so that no chunk costs an allocation. */
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
}

/** Sends one request after the other until it goes on no more. */
function exchange({ socket, listen }: OpenSocket, { next, goesOn, record }: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent_at = 0;
    const send = () => {
      if (!goesOn()) return resolve();
      sent_at = performance.now();
      socket.write(next(), "latin1");
    };
    const onAnswer = (refusal: string | null) => {
      if (refusal !== null) return reject(new Error(`not 200:\n${refusal}`));
      record(performance.now() - sent_at);
      send();
    };
    listen(answerReader(onAnswer));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed the connection")));
    send();
  });
}

/** Tells when an answer is complete, with its beginning when its status is not 200. */
function answerReader(onAnswer: (refusal: string | null) => void): (buffer: Buffer, bytes: number) => void {
  let text = "";
  let received_bytes = 0;
  let total_bytes = 0;
  return (buffer, bytes) => {
    received_bytes += bytes;
    if (total_bytes === 0 || !text.startsWith("HTTP/1.1 200")) {
      text += buffer.toString("latin1", 0, Math.min(bytes, HEAD_MAXIMUM - text.length));
      total_bytes = answerBytes(text);
    }
    if (total_bytes === 0 || received_bytes < total_bytes) return;
    const refusal = text.startsWith("HTTP/1.1 200") ? null : text;
    text = "";
    received_bytes = 0;
    total_bytes = 0;
    onAnswer(refusal);
  };
}

/** Of head and body, from the head; 0 as long as the head is not complete. */
function answerBytes(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end >= 0) {
    const length = /\r\ncontent-length: ([0-9]+)/i.exec(text)?.[1];
    if (length !== undefined) return end + 4 + Number(length);
    throw new Error(`no content-length:\n${text}`);
  }
  if (text.length >= HEAD_MAXIMUM) throw new Error(`a head without an end:\n${text}`);
  return 0;
}

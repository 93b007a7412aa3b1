/*
 * A subscriber's server: responds 204 immediately; hangs on paths under /hang, and responds endlessly on
 * those under /endless. It counts these requests and measures the time from an event's creation to its
 * arrival. Paths under /slow get their 204 after 900 ms, and those under /fails a 503: these are only
 * counted.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { runJobs } from "../jobs.ts";
import { quantile } from "../measurement.ts";

export type ReceiverJob =
  | { job: "listen" }
  /** Resets all counts. */
  | { job: "reset" }
  /** Responds after this many requests were answered. */
  | { job: "wait"; count: number }
  | { job: "report" };

export interface ReceiverReport {
  port: number;
  count: number;
  /** Answered requests to /slow and /fails. */
  others: number;
  /** Distinct events and paths. */
  distinct: number;
  /** The connections of the requests. */
  connections: number;
  /** From the first to the last request. */
  seconds: number;
  p50_ms: number;
  p99_ms: number;
}

const SLOW_MILLISECONDS = 900;

let count = 0;
let others = 0;
let sockets = new Set<Socket>();
let first_at = 0;
let last_at = 0;
let latencies: number[] = [];
let seen = new Set<string>();
let waiting: { count: number; resolve: () => void } | null = null;

const server = createServer((request, response) => {
  sockets.add(request.socket);
  const hangs = request.url?.startsWith("/hang") === true;
  request.on("data", () => {});
  request.on("end", () => {
    if (hangs) return;
    if (request.url?.startsWith("/slow") === true) {
      setTimeout(() => answerOther(response, 204), SLOW_MILLISECONDS);
      return;
    }
    if (request.url?.startsWith("/fails") === true) {
      answerOther(response, 503);
      return;
    }
    if (request.url?.startsWith("/endless") === true) {
      take(String(request.headers["webhook-id"]), request.url);
      pour(response);
      return;
    }
    response.writeHead(204).end();
    take(String(request.headers["webhook-id"]), request.url ?? "");
  });
  request.on("error", () => {});
});
server.keepAliveTimeout = 60_000;

runJobs(run, async () => server.closeAllConnections());

async function run(job: ReceiverJob): Promise<ReceiverReport> {
  if (job.job === "listen") {
    server.listen(0, "127.0.0.1", 4096);
    await once(server, "listening");
  } else if (job.job === "reset") {
    count = 0;
    others = 0;
    sockets = new Set();
    latencies = [];
    seen = new Set();
  } else if (job.job === "wait" && count < job.count) {
    await new Promise<void>((resolve) => {
      waiting = { count: job.count, resolve };
    });
  }
  const sorted = Float64Array.from(latencies).sort();
  return {
    port: (server.address() as AddressInfo).port,
    count,
    others,
    distinct: seen.size,
    connections: sockets.size,
    seconds: (last_at - first_at) / 1000,
    p50_ms: quantile(sorted, 0.5),
    p99_ms: quantile(sorted, 0.99),
  };
}

function answerOther(response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  response.writeHead(status).end();
  others += 1;
}

/** Sends an endless response, as fast as the other side reads. */
function pour(response: ServerResponse): void {
  response.writeHead(200);
  const chunk = Buffer.alloc(16 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

function take(id: string, path: string): void {
  last_at = performance.now();
  if (count === 0) first_at = last_at;
  count += 1;
  seen.add(id + path);
  latencies.push(Date.now() - madeAt(id));
  if (waiting !== null && count >= waiting.count) {
    waiting.resolve();
    waiting = null;
  }
}

/** A UUIDv7 contains its creation time in milliseconds. */
function madeAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

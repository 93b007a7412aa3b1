/*
 * A subscriber's server that delays each response, and counts the concurrent requests per path: from the
 * arrival of a request until its response or the end of its connection, which the kernel closes when a
 * process is killed. It also records which workers sent each delivery, by their user agents.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runJobs } from "../jobs.ts";

export type CountingReceiverJob =
  | { job: "listen"; answer_milliseconds: number }
  /** Responds after this many distinct deliveries were answered. */
  | { job: "wait"; distinct: number }
  | { job: "report" };

export interface CountingReceiverReport {
  port: number;
  /** Requests, answered or not. */
  count: number;
  distinct: number;
  /** The maximum number of concurrent requests, by path. */
  most_open: Record<string, number>;
  /** The senders of repeated deliveries, in order, by the version in the user agent. */
  repeated: string[][];
}

let answer_milliseconds = 0;
let count = 0;
const open = new Map<string, number>();
const most_open: Record<string, number> = {};
/** The senders, by event and path. */
const senders = new Map<string, string[]>();
const answered = new Set<string>();
let waiting: { distinct: number; resolve: () => void } | null = null;

const server = createServer((request, response) => {
  const path = request.url ?? "";
  const key = `${request.headers["webhook-id"]} ${path}`;
  const version = request.headers["user-agent"]?.split("/")[1] ?? "";
  count += 1;
  senders.set(key, [...(senders.get(key) ?? []), version]);
  const now_open = (open.get(path) ?? 0) + 1;
  open.set(path, now_open);
  most_open[path] = Math.max(most_open[path] ?? 0, now_open);
  let is_open = true;
  const end = () => {
    if (is_open) open.set(path, (open.get(path) ?? 0) - 1);
    is_open = false;
  };
  // The connection was closed, or the response was sent and `end` was called.
  response.on("close", end);
  request.on("error", () => {});
  request.resume();
  setTimeout(() => {
    if (response.destroyed) return;
    // Before the response: from its first byte on, the sender may start the next request.
    end();
    response.writeHead(204).end();
    answered.add(key);
    if (waiting !== null && answered.size >= waiting.distinct) {
      waiting.resolve();
      waiting = null;
    }
  }, answer_milliseconds);
});
server.keepAliveTimeout = 60_000;

runJobs(run, async () => server.closeAllConnections());

async function run(job: CountingReceiverJob): Promise<CountingReceiverReport> {
  if (job.job === "listen") {
    answer_milliseconds = job.answer_milliseconds;
    server.listen(0, "127.0.0.1", 4096);
    await once(server, "listening");
  } else if (job.job === "wait" && answered.size < job.distinct) {
    await new Promise<void>((resolve) => {
      waiting = { distinct: job.distinct, resolve };
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    count,
    distinct: answered.size,
    most_open,
    repeated: [...senders.values()].filter((versions) => versions.length > 1),
  };
}

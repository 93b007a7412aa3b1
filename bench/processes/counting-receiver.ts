/*
 * A subscriber's server that takes a moment for each answer, and counts for each path how many requests are open at
 * once: from the arrival of a request until it is answered or its connection is closed, as the kernel does for a
 * process that is killed. It also keeps which workers made each delivery, by their user agents.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerJobs } from "../jobs.ts";

export type CountingReceiverJob =
  | { job: "listen"; answer_milliseconds: number }
  /** Answers when so many distinct deliveries were answered. */
  | { job: "wait"; distinct: number }
  | { job: "report" };

export interface CountingReceiverReport {
  port: number;
  /** Requests, answered or not. */
  count: number;
  distinct: number;
  /** The most requests that were open at once, by path. */
  most_open: Record<string, number>;
  /** Of the deliveries that came more than once, the senders of each in order: the version of the user agent. */
  repeated: string[][];
}

let answer_milliseconds = 0;
let count = 0;
const open = new Map<string, number>();
const most_open: Record<string, number> = {};
/** By event and path. */
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
  // Its connection was closed, or it was answered and `end` has been called.
  response.on("close", end);
  request.on("error", () => {});
  request.resume();
  setTimeout(() => {
    if (response.destroyed) return;
    // Before the answer: from its first byte on, the sender may begin the next request.
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

answerJobs(run, async () => server.closeAllConnections());

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

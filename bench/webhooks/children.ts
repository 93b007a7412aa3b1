import { Child } from "../child.ts";
import type { PostJob } from "../processes/bare-posts.ts";
import type { ReceiverJob, ReceiverReport } from "../processes/receiver.ts";
import type { WorkJob } from "../processes/worker.ts";
import { SECRETS_KEY } from "./subscribers.ts";

export type Receiver = Child<ReceiverJob, ReceiverReport>;
export type BarePosts = Child<PostJob, { per_second: number }>;
export type WorkerProcess = Child<WorkJob, void>;

export function receiverProcess(): Receiver {
  return new Child(new URL("../processes/receiver.ts", import.meta.url));
}

export function barePostsProcess(): BarePosts {
  return new Child(new URL("../processes/bare-posts.ts", import.meta.url));
}

export function workerProcess(): WorkerProcess {
  return new Child(new URL("../processes/worker.ts", import.meta.url));
}

/** Makes a worker process deliver a database's events. Receivers see the version in the user agent. */
export async function startWork(
  worker: WorkerProcess,
  database_url: string,
  { lease_seconds = 30, version = "0.0.0" }: { lease_seconds?: number; version?: string } = {},
): Promise<void> {
  const secrets_key = SECRETS_KEY.toString("base64");
  await worker.ask({ database_url, pool_size: 6, secrets_key, lease_seconds, version });
}

/* The plain design: one graphile-worker job per delivery, and one insert per attempt. */
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { createSender } from "@findersfee/worker/webhooks/send";
import { Logger, type Runner, run } from "graphile-worker";
import { runJobs } from "../jobs.ts";

export interface PlainJob {
  database_url: string;
  connections: number;
}

/** A job's payload, which contains everything, so that the job reads nothing. */
export interface PlainPayload {
  organization_id: string;
  event_id: string;
  endpoint_id: string;
  url: string;
  body: string;
}

const KEYS = [Buffer.alloc(32, 1)];
const POOL_SIZE = 10;

const sender = createSender({ allow_http: true, allow_private: true, user_agent_version: "0.0.0" });
let opened: { runner: Runner; database: Database } | null = null;

runJobs(work, async () => {
  await opened?.runner.stop();
  await opened?.database.end({ timeout: 5 });
  await sender.close();
});

async function work({ database_url, connections }: PlainJob): Promise<void> {
  const database = connect({ url: database_url, poolSize: POOL_SIZE, prepare: true, name: "plain way" });
  const runner = await run({
    connectionString: database_url,
    maxPoolSize: POOL_SIZE,
    concurrency: connections,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { deliver_one: (payload) => deliver(database, payload as PlainPayload) },
  });
  opened = { runner, database };
}

async function deliver(database: Database, payload: PlainPayload): Promise<void> {
  const { organization_id, event_id, endpoint_id, url, body } = payload;
  const attempted_at = new Date();
  const timestamp = Math.floor(attempted_at.getTime() / 1000);
  const signature = signWebhook({ id: event_id, timestamp, body }, KEYS);
  const outcome = await sender.send({ url, id: event_id, timestamp, signature, body });
  await database`
    insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
      status, error_code, error_message, response)
    values (${organization_id}, ${event_id}, ${endpoint_id}, 1, ${attempted_at},
      ${Math.round(outcome.duration_milliseconds)}, ${outcome.status}, ${outcome.error_code},
      ${outcome.error_message}, ${outcome.response})`;
  if (!outcome.delivered) throw new Error("not delivered");
}

import type { ServerResponse } from "node:http";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { createNotifier } from "@findersfee/domain/work/notify-workers";
import { pino } from "pino";
import type { Worker } from "../../src/worker.ts";
import { MailServer } from "../mail-server.ts";
import { FROM, PUBLIC_URL } from "../mailing.ts";
import { type Received, Receiver } from "../receiver.ts";
import { startTestWorker } from "../test-worker.ts";

/** As many connections as a worker has in earnest. */
const POOL = 10;
/** Shorter than in production. The last one ends a session that waits in a transaction for a client that is gone. */
const LIMITS = {
  statement_seconds: 3,
  long_statement_seconds: 6,
  session: { idle_in_transaction_session_timeout: 6_000 },
};
/**
 * Short, so that a round in which a worker's end fails is over soon. A worker uses half of it, and on a busy machine the process of
 * a test stands still for seconds.
 */
const LEASE_SECONDS = 12;

export type Answer = (request: Received, response: ServerResponse) => void;

/** A database, a worker that reaches it through a fault-injecting proxy, and the servers that it sends to. */
export class Stage {
  readonly database: Database;
  readonly faulty: FaultyPostgres;
  readonly mails: MailServer;
  /** Notifies the worker, by a connection that does not fail, as the API does. */
  readonly notifyWorkers: (organization_id: string) => void;
  readonly notifyInboundWebhooks: (organization_id: string) => void;
  readonly #test: TestDatabase;
  readonly #receiver: Receiver;
  readonly #answers = new Map<string, Answer>();
  readonly #pool_size: number;
  #worker: { worker: Worker; pool: Database } | null = null;

  private constructor(
    test: TestDatabase,
    {
      faulty,
      pool_size,
      servers,
    }: { faulty: FaultyPostgres; pool_size: number; servers: [Receiver, MailServer] },
  ) {
    [this.#receiver, this.mails] = servers;
    this.#pool_size = pool_size;
    this.#test = test;
    this.database = test.database;
    this.faulty = faulty;
    const onError = (error: unknown) => {
      throw error;
    };
    this.notifyWorkers = createNotifier(test.database, "events", onError);
    this.notifyInboundWebhooks = createNotifier(test.database, "inbound_webhooks", onError);
    this.#receiver.answer = (request, response) => {
      const answer = this.#answers.get(request.path);
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    };
  }

  static async open({ pool_size = POOL }: { pool_size?: number } = {}): Promise<Stage> {
    const test = await createTestDatabase();
    const faulty = await FaultyPostgres.before(test.url);
    const servers: [Receiver, MailServer] = [await Receiver.start(), await MailServer.start()];
    return new Stage(test, { faulty, pool_size, servers });
  }

  async close(): Promise<void> {
    this.faulty.lift();
    await this.stopWorker();
    await this.faulty.close();
    await this.#receiver.close();
    await this.mails.close();
    await this.#test.close();
  }

  /** Rejects, as the process of a worker ends, when the worker could not start. */
  async startWorker(): Promise<void> {
    const { url } = this.faulty;
    const pool = connect({
      url,
      poolSize: this.#pool_size,
      prepare: true,
      name: "findersfee faults",
      limits: LIMITS,
    });
    try {
      const worker = await startTestWorker(
        { ...this.#test, database: pool, url },
        {
          lease_seconds: LEASE_SECONDS,
          queue_limits: LIMITS,
          public_url: PUBLIC_URL,
          mail: { smtp_url: this.mails.url, from: FROM },
          log: pino({ level: process.env.WORKER_LOG ?? "silent" }),
        },
      );
      this.#worker = { worker, pool };
    } catch (error) {
      await pool.end({ timeout: 0 });
      throw error;
    }
  }

  async stopWorker(): Promise<void> {
    const running = this.#worker;
    this.#worker = null;
    await running?.worker.stop();
    await running?.pool.end({ timeout: 0 });
  }

  /** Answers the requests to a path; returns its address. */
  receive(path: string, answer: Answer): string {
    this.#answers.set(path, answer);
    return this.#receiver.url(path);
  }

  /** The jobs of the queue; those that own shards are counted. */
  async jobs(): Promise<object[]> {
    const others = await this.database`
      select task.identifier, job.payload, job.id, job.key, job.attempts, job.locked_by, job.locked_at, job.run_at,
        job.last_error, queue.locked_by as queue_locked_by, queue.locked_at as queue_locked_at, now() as at
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
      where task.identifier <> 'own_shard'`;
    const owners = await this.database`
      select job.locked_by, queue.locked_by as queue_locked_by, max(job.attempts) as attempts, min(job.run_at) as run_at,
        max(job.last_error) as last_error, count(*)::int as owners
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
      where task.identifier = 'own_shard'
      group by 1, 2`;
    const workers = await this.database`select *, now() as at from workers`;
    return [...others, ...owners, ...workers];
  }

  /** The worker's gauges of work that is due or under way, by name, without the common prefix. */
  async gauges(): Promise<Record<string, number>> {
    const text = (await this.#worker?.worker.registry.metrics()) ?? "";
    const lines = text.matchAll(
      /^findersfee_(\w+_(?:backlog|waiting|in_flight|pending|seconds)|shards)(\{kind="\w+"\})? (\S+)$/gm,
    );
    return Object.fromEntries(
      [...lines].map(([, name, kind = "", value]) => [`${name}${kind}`, Number(value)]),
    );
  }
}

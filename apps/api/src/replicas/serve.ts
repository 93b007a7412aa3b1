import type { Database } from "@findersfee/database/postgres/connect";
import type { ReplicaReport, Replicas } from "@findersfee/database/replicas/replicas";
import type { FastifyInstance } from "fastify";
import { OwnWrites } from "./own-writes.ts";

const LOOK_MILLISECONDS = 1_000;

/** Has reads of people go to the replicas, and logs when one is not used any more, and when it is again. */
export function serveReplicas(
  app: FastifyInstance,
  { replicas, database, public_url }: { replicas: Replicas; database: Database; public_url: string | null },
): OwnWrites {
  const own_writes = new OwnWrites(replicas, public_url);
  own_writes.mark(app, database);
  const former = new Map<string, ReplicaReport["state"]>();
  const timer = setInterval(() => {
    for (const { host: replica, state, lag_seconds } of replicas.report()) {
      if (former.get(replica) === state) continue;
      former.set(replica, state);
      if (state === "used") app.log.info({ replica, lag_seconds }, "reads go to the read replica");
      else app.log.warn({ replica, state, lag_seconds }, "no reads go to the read replica");
    }
  }, LOOK_MILLISECONDS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return own_writes;
}

import type { Database } from "@findersfee/database/connect";
import { checkSchema } from "@findersfee/database/migrate";
import type { FastifyInstance } from "fastify";

/** `/healthz`: the process answers. `/readyz`: it can serve, with a database of the schema it knows. */
export function serveHealth(app: FastifyInstance, database: Database): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    await checkSchema(database);
    return { status: "ready" };
  });
}

/* The minimal implementation of `GET /v1/affiliates/{id}`: Fastify, the query, the row as JSON. */
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import fastify from "fastify";
import { runJobs } from "../jobs.ts";

export interface BareRouteJob {
  database_url: string;
  organization_id: string;
  pool_size: number;
}

const app = fastify();
let database: Database | null = null;

runJobs(serve, async () => {
  await app.close();
  await database?.end({ timeout: 5 });
});

/** Returns the port. */
async function serve({ database_url, organization_id, pool_size }: BareRouteJob): Promise<number> {
  const sql = connect({ url: database_url, poolSize: pool_size, prepare: true, name: "findersfee bench" });
  database = sql;
  app.get<{ Params: { id: string } }>("/v1/affiliates/:id", async (request, reply) => {
    const row = await findAffiliate(sql, organization_id, request.params.id);
    if (row === null) return reply.code(404).send();
    const { campaign } = row;
    // JSON has no bigint.
    return {
      ...row,
      clicks: Number(row.clicks),
      campaign: {
        ...campaign,
        commission_value: Number(campaign.commission_value),
        first_payment_value: Number(campaign.first_payment_value),
      },
    };
  });
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

import type { Database } from "@findersfee/database/postgres/connect";
import { Replicas } from "@findersfee/database/replicas/replicas";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { OwnStandby } from "@findersfee/database/testing/own-standby";
import { serveTestDatabase, type TestService } from "../test-service.ts";

/** Two processes of the API, as behind a load balancer, with a primary and its standby. */
export interface Replicated {
  postgres: OwnPostgres;
  standby: OwnStandby;
  database: Database;
  services: [TestService, TestService];
  replicas: [Replicas, Replicas];
  /** Resolves when both processes read on the standby. */
  used(): Promise<void>;
  close(): Promise<void>;
}

export const MAX_LAG_SECONDS = 5;

export async function startReplicated(): Promise<Replicated> {
  const postgres = await OwnPostgres.start();
  const standby = await OwnStandby.of(postgres);
  const database = openPool(postgres.url, 10);
  const open = () =>
    new Replicas({
      url: standby.url,
      primary_url: postgres.url,
      pool: { poolSize: 5, prepare: true, name: "findersfee api" },
      statement_seconds: 30,
      max_lag_seconds: MAX_LAG_SECONDS,
    });
  const serve = (replicas: Replicas) =>
    serveTestDatabase({ database, url: postgres.url, close: () => replicas.end() }, { replicas });
  const replicas: [Replicas, Replicas] = [open(), open()];
  const services: [TestService, TestService] = [await serve(replicas[0]), await serve(replicas[1])];
  const used = async () => {
    await standby.catchUp();
    await eventually(() => {
      const states = replicas.flatMap((each) => each.report().map(({ state }) => state));
      if (states.some((state) => state !== "used")) throw new Error(states.join());
    });
  };
  await used();
  return {
    postgres,
    standby,
    database,
    services,
    replicas,
    used,
    close: async () => {
      for (const service of services) await service.close();
      await database.end({ timeout: 1 });
      await standby.remove();
      await postgres.remove();
    },
  };
}

import type { Database } from "@findersfee/database/postgres/connect";
import type { Interest } from "@findersfee/database/postgres/interest";
import type { Position } from "@findersfee/database/replicas/position";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import type { FastifyRequest } from "fastify";

/** Where a request may read besides the primary. */
export interface ReadRoute {
  replicas: Replicas;
  /** The position of the reader's writes: a standby that has not replayed it does not answer. */
  after: Position;
  reader: string;
}

/** Decides where requests may read. */
export interface ReadRoutes {
  routeOf(request: FastifyRequest): ReadRoute | null;
}

/** The database and the route of a request; null: it reads on the primary. */
export interface RoutedContext {
  database: Database;
  read_route: ReadRoute | null;
  /** Who waits for its statements; absent or null: they run to their end. */
  interest?: Interest | null;
}

/**
 * The queries that the primary answers although their request has a route, each with its reason. All other queries go to a standby.
 */
export const PRIMARY_QUERIES: ReadonlyMap<string, string> = new Map([
  ["dashboard.payout_runs.summary", "stores its result in an unlogged table, which standbys do not have"],
  ["dashboard.payout_runs.preview", "the same; and a person pays what it shows"],
  ["dashboard.payout_runs.propose", "the same"],
  ["dashboard.settings.get", "locks the organization, to read it and its payout day as of one moment"],
]);

/** The outcome of a tRPC procedure. */
type Outcome = { ok: true } | { ok: false; error: Error };

/**
 * The middleware in front of all queries: here alone is decided where a procedure reads. Queries of a request with a route go to a
 * standby, and again to the primary if they fail there; everything else goes to the primary.
 */
export async function routeReads<Result extends Outcome>(
  { ctx, type, path }: { ctx: RoutedContext; type: string; path: string },
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { interest } = ctx;
  const runOn = (database: Database) => run(interest == null ? database : interest.over(database));
  if (type !== "query" || PRIMARY_QUERIES.has(path)) return await runOn(ctx.database);
  return await readRouted(ctx, async (database) => {
    const result = await runOn(database);
    if (!result.ok && database !== ctx.database) throw result.error.cause ?? result.error;
    return result;
  });
}

/** The same for a read that is no procedure. It may run twice, so its answer must not have begun. */
export async function readRouted<Result>(
  { database: primary, read_route, interest = null }: RoutedContext,
  read: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (read_route === null) return await read(primary);
  const { replicas, after, reader } = read_route;
  return await replicas.read({ after, reader, primary, interest }, read);
}

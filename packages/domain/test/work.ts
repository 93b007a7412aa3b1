import type { Database } from "@findersfee/database/postgres/connect";
import { type ShardOwner, shardOf, takeShard } from "@findersfee/database/work/shards";
import { type PayoutRunTurn, workPayoutRun } from "../src/payouts/runs/pay.ts";
import {
  type ProcessedWebhooks,
  processInboundWebhooks,
} from "../src/processors/process-inbound-webhooks.ts";
import { sealTotals } from "../src/reports/totals/seal.ts";
import { type ReplayStep, stepReplay } from "../src/webhooks/replays/step.ts";
import { type JobTurn, stepJob } from "../src/work/jobs/step.ts";

/** Takes an organization's shard, as a worker does. */
export async function ownOrganization(database: Database, organizationId: string): Promise<ShardOwner> {
  return await takeShard(database, shardOf(organizationId));
}

/** One turn of an organization's inbound webhooks, by an owner of its shard. */
export async function processWebhooks(
  database: Database,
  organizationId: string,
): Promise<ProcessedWebhooks> {
  const owner = await ownOrganization(database, organizationId);
  return await processInboundWebhooks(database, organizationId, { owner, secrets_key: Buffer.alloc(32) });
}

/** One step of an organization's replays, by an owner of its shard. */
export async function stepReplays(database: Database, organizationId: string): Promise<ReplayStep> {
  return await stepReplay(database, organizationId, await ownOrganization(database, organizationId));
}

interface OwnerOfJobs {
  database: Database;
  organization: { id: string };
}

/** One step of an organization's jobs, by an owner of its shard. */
export async function stepJobs(
  { database, organization }: OwnerOfJobs,
  owner?: ShardOwner,
): Promise<JobTurn> {
  return await stepJob(
    database,
    organization.id,
    owner ?? (await ownOrganization(database, organization.id)),
  );
}

/** All turns of an organization's totals that are due, by an owner of its shard. Returns their number. */
export async function sealDueTotals({ database, organization }: OwnerOfJobs): Promise<number> {
  const owner = await ownOrganization(database, organization.id);
  let turns = 0;
  while ((await sealTotals(database, organization.id, { owner })) !== "none") turns += 1;
  return turns;
}

/** All steps of an organization's jobs. */
export async function runJobs(context: OwnerOfJobs): Promise<void> {
  while ((await stepJobs(context)) !== "none");
}

/**
 * One turn of each organization with an unfinished payout run, also of runs that were postponed, by an owner of its
 * shard.
 *
 * @throws AggregateError of the runs that failed
 */
export async function workPayoutRuns(
  database: Database,
  signal: AbortSignal,
  options: Omit<PayoutRunTurn, "owner" | "signal"> = {},
): Promise<void> {
  await database`update payout_runs set due_at = now() where due_at is not null`;
  const rows = await database<{ organization_id: string }[]>`
    select distinct organization_id from payout_runs where due_at is not null order by 1`;
  const failed: Error[] = [];
  for (const { organization_id } of rows) {
    const owner = await ownOrganization(database, organization_id);
    await workPayoutRun(database, organization_id, { owner, signal, ...options }).catch((error: Error) =>
      failed.push(error),
    );
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join("; "));
}

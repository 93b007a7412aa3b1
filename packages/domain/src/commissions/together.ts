import { type CommissionCreation, insertCommissions } from "@findersfee/database/commission-creation";
import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isOutage, isStatementError } from "@findersfee/database/errors";
import { findReferrals } from "@findersfee/database/referrals";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { type BatchLimits, createBatcher } from "../batcher.ts";
import type { Context } from "../context.ts";
import { idempotencyExpiry } from "../idempotency.ts";

/*
 * Commissions arrive in bursts, and most of the database cost is per statement: a round trip, a plan's start, a commit
 * that waits for the disk. So concurrent creations of an organization are read and written in batches. Each creation
 * still succeeds or fails on its own: when one of them makes the statement fail, nothing was changed, and each is
 * written again alone.
 *
 * An organization may use only a share of the pool, so that others continue while its statements wait for a lock.
 */

const INSERTS = { max_batch_size: 16, max_concurrent_batches: 4 };
const INSERTS_ALONE = { max_batch_size: 1, max_concurrent_batches: 2 };
/** For pools smaller than the number of statements that one organization may run. */
const SHARE = { together: 0.4, alone: 0.2 };
/** A request waits in at most three of these queues, and has 15 s. */
const QUEUE = { max_queued: 1_000, max_wait_milliseconds: 5_000 };
const DEADLOCK_TRIES = 3;

/** `alone`: nothing was changed, because another item of the batch failed; write this one alone. */
type Outcome = "created" | "key_not_free" | "alone";

interface Together {
  find: (organizationId: string, id: string) => Promise<ReferralWithAffiliateRow | null>;
  insert: (organizationId: string, creation: CommissionCreation) => Promise<Outcome>;
  insertAlone: (organizationId: string, creation: CommissionCreation) => Promise<Outcome>;
}

const together = new WeakMap<Database, Together>();

/** The batchers of one pool. */
function togetherOn(database: Database): Together {
  let known = together.get(database);
  if (known === undefined) {
    const limits = within(database, INSERTS, SHARE.together);
    known = {
      find: createBatcher((organizationId, ids) => findAll(database, organizationId, ids), limits),
      insert: createBatcher(
        (organizationId, creations) => insertAll(database, organizationId, creations),
        limits,
      ),
      insertAlone: createBatcher(
        (organizationId, creations) => insertAgain(database, organizationId, creations),
        within(database, INSERTS_ALONE, SHARE.alone),
      ),
    };
    together.set(database, known);
  }
  return known;
}

function within(
  { options }: Database,
  { max_batch_size, max_concurrent_batches }: Pick<BatchLimits, "max_batch_size" | "max_concurrent_batches">,
  share: number,
): BatchLimits {
  return {
    ...QUEUE,
    max_batch_size,
    max_concurrent_batches: Math.min(max_concurrent_batches, Math.ceil(options.max * share)),
  };
}

/** Reads a referral, batched with concurrent reads. */
export function findReferralTogether(
  { database, organization }: Context,
  id: string,
): Promise<ReferralWithAffiliateRow | null> {
  return togetherOn(database).find(organization.id, id);
}

/** Writes a creation, batched with concurrent ones. False: its idempotency key was already claimed. */
export async function insertTogether(
  { database, organization }: Context,
  creation: CommissionCreation,
): Promise<boolean> {
  const { insert, insertAlone } = togetherOn(database);
  let outcome = await insert(organization.id, creation);
  if (outcome === "alone") outcome = await insertAlone(organization.id, creation);
  return outcome === "created";
}

async function findAll(
  database: Database,
  organizationId: string,
  ids: string[],
): Promise<(ReferralWithAffiliateRow | null)[]> {
  const rows = await findReferrals(database, organizationId, [...new Set(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  // A UUID is the same in upper and lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

async function insertAll(
  database: Database,
  organizationId: string,
  creations: CommissionCreation[],
): Promise<Outcome[]> {
  try {
    return await insert(database, organizationId, creations);
  } catch (error) {
    const is_its_own = creations.length === 1 && !isDeadlock(error);
    if (is_its_own || isOutage(error) || !isStatementError(error)) throw error;
    return creations.map(() => "alone");
  }
}

/** Runs the write again after a deadlock, which Postgres ended by aborting one transaction. */
async function insertAgain(
  database: Database,
  organizationId: string,
  creations: CommissionCreation[],
): Promise<Outcome[]> {
  for (let tries_left = DEADLOCK_TRIES - 1; ; tries_left--) {
    try {
      return await insert(database, organizationId, creations);
    } catch (error) {
      if (!isDeadlock(error) || tries_left === 0) throw error;
    }
  }
}

async function insert(
  database: Database,
  organizationId: string,
  creations: CommissionCreation[],
): Promise<Outcome[]> {
  const created = await insertCommissions(database, organizationId, {
    creations: withoutRepeatedKeys(creations),
    expired_before: idempotencyExpiry(new Date()),
  });
  return creations.map(({ commission }) => (created.has(commission.id) ? "created" : "key_not_free"));
}

/** The first of several creations with one idempotency key claims it. */
function withoutRepeatedKeys(creations: CommissionCreation[]): CommissionCreation[] {
  const keys = new Set<string>();
  return creations.filter(({ answer }) => {
    if (answer === null) return true;
    const is_first = !keys.has(answer.key);
    keys.add(answer.key);
    return is_first;
  });
}

import { type CommissionCreation, insertCommissions } from "@findersfee/database/commissions/creation";
import { findReferrals } from "@findersfee/database/customers/referrals";
import type { Database } from "@findersfee/database/postgres/connect";
import { isDeadlock, isOutage, isStatementError } from "@findersfee/database/postgres/errors";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { PAYMENT_KEYS } from "../attribution/facts/fact-names.ts";
import { type BatchLimits, createBatcher } from "../caching/batcher.ts";

const INSERTS = { max_batch_size: 16, max_concurrent_batches: 4 };
const INSERTS_ALONE = { max_batch_size: 1, max_concurrent_batches: 2 };
/** For pools smaller than the number of statements that one organization may run. */
const SHARE = { together: 0.4, alone: 0.2 };
/** A request waits in at most three of these queues, and has 15 s. */
const QUEUE = { max_queued: 1_000, max_wait_milliseconds: 5_000 };
const DEADLOCK_TRIES = 3;
const payment_keys = [...PAYMENT_KEYS];

/** `known_payment`: nothing was changed, because a processor reported the payment. */
export type CreationOutcome = "created" | "key_not_free" | "known_payment";

/** `alone`: nothing was changed, because another item of the batch failed; write this one alone. */
type Outcome = CreationOutcome | "alone";

/**
 * Reads referrals and writes commissions of one pool, several of an organization at once. Commissions come in bursts, and
 * most of the cost of one is the same for many: a round trip, the start of a plan, a commit that waits for the disk. Each
 * still succeeds or fails alone: if one commission makes the statement of a batch fail, nothing is changed, and each one is
 * written again separately.
 *
 * An organization uses a share of the pool only, so that the others continue while its statements wait for a lock.
 */
export class CommissionBatchWriter {
  readonly #find: (organizationId: string, id: string) => Promise<ReferralWithAffiliateRow | null>;
  readonly #insert: (organizationId: string, creation: CommissionCreation) => Promise<Outcome>;
  readonly #insertAlone: (organizationId: string, creation: CommissionCreation) => Promise<CreationOutcome>;

  constructor(database: Database) {
    const limits = within(database, INSERTS, SHARE.together);
    this.#find = createBatcher((organizationId, ids) => findAll(database, organizationId, ids), limits);
    this.#insert = createBatcher(
      (organizationId, creations) => insertAll(database, organizationId, creations),
      limits,
    );
    this.#insertAlone = createBatcher(
      (organizationId, creations) => insertAgain(database, organizationId, creations),
      within(database, INSERTS_ALONE, SHARE.alone),
    );
  }

  /** The referral, read in one statement with those that other requests read now. */
  findReferral(organizationId: string, id: string): Promise<ReferralWithAffiliateRow | null> {
    return this.#find(organizationId, id);
  }

  /** Writes a commission in one statement with other requests' commissions. */
  async insert(organizationId: string, creation: CommissionCreation): Promise<CreationOutcome> {
    const outcome = await this.#insert(organizationId, creation);
    return outcome === "alone" ? await this.#insertAlone(organizationId, creation) : outcome;
  }
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
): Promise<CreationOutcome[]> {
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
): Promise<CreationOutcome[]> {
  const { created, of_known_payments } = await insertCommissions(database, organizationId, {
    creations: withoutRepeatedKeys(creations),
    expired_before: keysExpiredBefore(creations),
    payment_keys,
  });
  return creations.map(({ commission: { id } }) => {
    if (created.has(id)) return "created";
    return of_known_payments.has(id) ? "known_payment" : "key_not_free";
  });
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

/** The same moment for all of a batch: their answers were prepared within seconds. Without a key, none matters. */
function keysExpiredBefore(creations: CommissionCreation[]): Date {
  return creations.find(({ answer }) => answer !== null)?.answer?.expired_before ?? new Date(0);
}

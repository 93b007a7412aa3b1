import type { Database } from "@findersfee/database/postgres/connect";
import { countAuditLogEntries, countMailsToStrangers, countStoredAnswers } from "@findersfee/database/quotas";
import { LRUCache } from "lru-cache";
import { atMost } from "./caching/at-most.ts";
import { DomainError } from "./errors.ts";
import { firstIdOf } from "./ids.ts";
import { tally } from "./tallies.ts";

/** Maximum rows of one organization; 0: any number. */
export interface QuotaLimits {
  /** Stored answers for Idempotency-Keys; each expires after 24 hours. */
  stored_answers: number;
  /** Audit log entries of one day (UTC); they have no expiry. */
  audit_log_entries: number;
  /**
   * Mails of one day (UTC) to people who have neither asked for them nor agreed to be an affiliate. The
   * operator can give an organization a quota of its own. Workers hold back further mails.
   */
  mails_to_strangers: number;
}

export type QuotaName = keyof QuotaLimits;

/** Limits of the rows that an organization's requests write. */
export interface Quotas {
  /**
   * Counts one more row.
   *
   * @throws DomainError `quota_exceeded`
   */
  admit(name: QuotaName, organization_id: string): void;
}

/**
 * The same context for an operation that takes access away or stops harm. No quota refuses it. Such an
 * operation does nothing the second time, unless a counted one has given the access back, so the number of
 * its rows stays bounded.
 */
export function beyondQuotas<Limited extends { quotas?: Quotas | undefined }>(context: Limited): Limited {
  return { ...context, quotas: undefined };
}

/** A process counts again after this time, or this number of its own rows, because other processes write too. */
const RECOUNT_MILLISECONDS = 60_000;
const RECOUNT_SHARE = 0.1;
/** Maximum organizations per quota that a process counts for. The least recently active ones make room. */
const MAX_ORGANIZATIONS = 10_000;

interface Usage {
  /** Rows of the last count, and those admitted after it. */
  used: number;
  /** Rows admitted since the last count began. */
  admitted: number;
  recount_at: number;
  is_counting: boolean;
  /** The UTC day that was counted. */
  day: string;
  /** The organization's own limit; undefined: the general one. */
  own_limit?: number | undefined;
}

/**
 * Quotas that cost a request no query. Rows are counted in the background, so a quota can be exceeded by the rows that
 * all processes write until their next count: a bound on growth, not an exact limit.
 */
export function createQuotas(
  database: Database,
  limits: QuotaLimits,
  onError: (error: unknown) => void,
): Quotas {
  const usages: Record<QuotaName, LRUCache<string, Usage>> = {
    stored_answers: new LRUCache(atMost(MAX_ORGANIZATIONS)),
    audit_log_entries: new LRUCache(atMost(MAX_ORGANIZATIONS)),
    mails_to_strangers: new LRUCache(atMost(MAX_ORGANIZATIONS)),
  };

  async function recount(name: QuotaName, organization_id: string, usage: Usage): Promise<void> {
    const day = today();
    const admitted_before = usage.admitted;
    usage.is_counting = true;
    try {
      const counted = await count(database, organization_id, { name, day, limit: limits[name] });
      // The count may miss rows admitted while it ran. Adding them could reject requests below the limit.
      usage.used = counted.used;
      usage.own_limit = counted.own_limit;
      usage.admitted -= admitted_before;
      usage.day = day;
    } catch (error) {
      onError(error);
    } finally {
      usage.is_counting = false;
      usage.recount_at = performance.now() + RECOUNT_MILLISECONDS;
    }
  }

  function usageOf(name: QuotaName, organization_id: string): Usage {
    const counted = usages[name].get(organization_id);
    if (counted !== undefined) return counted;
    const usage = { used: 0, admitted: 0, recount_at: 0, is_counting: false, day: "" };
    usages[name].set(organization_id, usage);
    return usage;
  }

  return {
    admit(name, organization_id) {
      const usage = usageOf(name, organization_id);
      const limit = usage.own_limit ?? limits[name];
      const is_own = name === "mails_to_strangers";
      if (limit === 0 && !is_own) return;
      const is_stale =
        performance.now() >= usage.recount_at || usage.admitted >= Math.max(1, limit * RECOUNT_SHARE);
      if (is_stale && !usage.is_counting) void recount(name, organization_id, usage);
      if (limit !== 0 && usage.used >= limit && (name === "stored_answers" || usage.day === today())) {
        tally("quota_refused", name);
        throw exceeded(name, limit);
      }
      tally("quota_admitted", name);
      usage.used += 1;
      usage.admitted += 1;
    },
  };
}

async function count(
  database: Database,
  organization_id: string,
  { name, day, limit }: { name: QuotaName; day: string; limit: number },
): Promise<{ used: number; own_limit?: number }> {
  switch (name) {
    case "stored_answers":
      return { used: await countStoredAnswers(database, organization_id, limit) };
    case "audit_log_entries": {
      const from_id = firstIdOf(new Date(day));
      return { used: await countAuditLogEntries(database, organization_id, { from_id, limit }) };
    }
    case "mails_to_strangers": {
      const since = new Date(day);
      const row = await countMailsToStrangers(database, organization_id, { since, most: Math.max(1, limit) });
      const { mails_to_strangers } = row;
      return { used: row.count, ...(mails_to_strangers === null ? {} : { own_limit: mails_to_strangers }) };
    }
  }
}

/** The UTC day, as `2026-11-20`. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function exceeded(name: QuotaName, limit: number): DomainError {
  const details = { quota: name, limit: String(limit) };
  const rows = limit.toLocaleString("en-US");
  switch (name) {
    case "stored_answers":
      return new DomainError("quota_exceeded", {
        message: `The organization has ${rows} stored answers to requests with an idempotency key, which is its quota. Answers expire after 24 hours.`,
        details,
      });
    case "audit_log_entries":
      return new DomainError("quota_exceeded", {
        message: `The organization has written ${rows} audit log entries today, which is its quota. It can make changes again after midnight UTC.`,
        details,
      });
    case "mails_to_strangers":
      return new DomainError("quota_exceeded", {
        message: `The organization has sent ${rows} emails today to people who have not agreed yet, which is its quota. It can invite people by email again after midnight UTC; a link that you pass on yourself works now.`,
        details,
      });
  }
}

import type { Connection } from "./postgres/connect.ts";
import { statement } from "./postgres/statement.ts";

interface Counted {
  count: number;
}

/*
 * Counts read only the primary key's index and stop at the limit: counting a million rows took 90 ms, independent of
 * the rest of the table.
 */

const COUNT_STORED_ANSWERS = statement<Counted, "organization_id" | "limit">(`
  select count(*)::int as count from (
    select from idempotency_keys where organization_id = :organization_id::uuid limit :limit::int
  ) as stored`);

/** Counts the organization's stored responses, up to `limit`. */
export async function countStoredAnswers(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<number> {
  const [row] = await COUNT_STORED_ANSWERS.run(sql, { organization_id: organizationId, limit });
  return row?.count ?? 0;
}

const COUNT_MAILS_TO_STRANGERS = statement<MailsToStrangersRow, "organization_id" | "since" | "most">(`
  select (
      select count(*)::int from (
        select from mails
        where organization_id = organization.id and to_stranger and finished_at >= :since::timestamptz
        limit coalesce(nullif(organization.mails_to_strangers, 0), :most::int)
      ) as sent
    ) as count, organization.mails_to_strangers
  from organizations organization where organization.id = :organization_id::uuid`);

export interface MailsToStrangersRow extends Counted {
  /** The organization's own quota; null: the service's. 0: any number. */
  mails_to_strangers: number | null;
}

/** Counts mails of an organization to people who have not agreed, up to its own quota, or `most`. */
export async function countMailsToStrangers(
  sql: Connection,
  organizationId: string,
  { since, most }: { since: Date; most: number },
): Promise<MailsToStrangersRow> {
  const [row] = await COUNT_MAILS_TO_STRANGERS.run(sql, { organization_id: organizationId, since, most });
  return row ?? { count: 0, mails_to_strangers: null };
}

const COUNT_AUDIT_LOG_ENTRIES = statement<Counted, "organization_id" | "from_id" | "limit">(`
  select count(*)::int as count from (
    select from audit_log_entries where organization_id = :organization_id::uuid and id >= :from_id::uuid
      and actor not like 'affiliate %' and actor not in ('joining', 'unsubscribe link', 'sign-up', 'signed sign-up')
    limit :limit::int
  ) as written`);

/**
 * Counts the organization's audit log entries with `from_id` or a later id, up to `limit`. It leaves out
 * entries of affiliates and of people outside, who would otherwise use up the quota of its members and
 * programs.
 */
export async function countAuditLogEntries(
  sql: Connection,
  organizationId: string,
  { from_id, limit }: { from_id: string; limit: number },
): Promise<number> {
  const [row] = await COUNT_AUDIT_LOG_ENTRIES.run(sql, { organization_id: organizationId, from_id, limit });
  return row?.count ?? 0;
}

import { actorName } from "../audit-log/actor-name.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { PayoutRow } from "../rows.ts";
import { isWithheld } from "./holds.ts";
import type { Payee } from "./runs.ts";

/** A payout, with the fields that files show. */
export interface FilePayoutRow {
  id: string;
  affiliate_id: string;
  affiliate_name: string;
  payout_email: string | null;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  status: PayoutRow["status"];
  method: PayoutRow["method"];
}

/** Returns the number of a run's payouts in each currency, in any status. */
export async function countRunPayouts(
  sql: Connection,
  organizationId: string,
  runId: string,
): Promise<{ currency: string; payouts: number }[]> {
  return await sql<{ currency: string; payouts: number }[]>`
    select currency, count(*)::int as payouts from payouts
    where organization_id = ${organizationId} and run_id = ${runId}
    group by currency order by currency`;
}

/** Returns the affiliate of the nth payout (from 0) of a run in a currency; null: there are fewer. */
export async function findAffiliateAt(
  sql: Connection,
  organizationId: string,
  { run_id, currency, place }: { run_id: string; currency: string; place: number },
): Promise<string | null> {
  const [row] = await sql<{ affiliate_id: string }[]>`
    select affiliate_id from payouts
    where organization_id = ${organizationId} and run_id = ${run_id} and currency = ${currency}
    order by affiliate_id offset ${place} limit 1`;
  return row?.affiliate_id ?? null;
}

const LIST = statement<
  FilePayoutRow,
  | "organization_id"
  | "run_id"
  | "statuses"
  | "with_withheld"
  | "one_currency"
  | "affiliate_id"
  | "currency"
  | "until_affiliate_id"
  | "limit"
>(`
  select id, affiliate_id, affiliate_name, payout_email, amount_minor, currency, period, payment_count, status, method
  from payouts
  where organization_id = :organization_id::uuid and run_id = :run_id::uuid
    and (affiliate_id, currency) > (:affiliate_id::uuid, :currency::text)
    and (:one_currency::text is null or currency = :one_currency::text)
    and (:until_affiliate_id::uuid is null or affiliate_id < :until_affiliate_id::uuid)
    and status = any (:statuses::text[]) and (:with_withheld::boolean or not ${isWithheld("payouts")})
  order by affiliate_id, currency limit :limit::int`);

export interface FileRange {
  run_id: string;
  statuses: readonly PayoutRow["status"][];
  /** Whether payouts of affiliates who were left out of runs since are in it. */
  with_withheld: boolean;
  /** Null: all currencies. */
  one_currency: string | null;
  /** Only payouts after this one. */
  after: Payee;
  /** Only payouts before this one; null: to the end. */
  until_affiliate_id: string | null;
  limit: number;
}

/** Returns payouts of a run by affiliate and currency. */
export async function listFilePayouts(
  sql: Connection,
  organizationId: string,
  { after, ...range }: FileRange,
): Promise<FilePayoutRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, ...range, ...after });
}

/** A payout that no provider's file can include. */
export interface UnpayableRow {
  id: string;
  affiliate_name: string;
  payout_email: string | null;
  amount_minor: bigint;
  currency: string;
}

/**
 * Returns the first payouts of a file without an address, with one that matches the pattern, or with an amount that is no multiple of
 * the step or above the limit. Without terms, the currency is not paid: the first payouts.
 */
export async function listUnpayable(
  sql: Connection,
  organizationId: string,
  {
    range,
    pattern,
    terms,
    limit,
  }: {
    range: Omit<FileRange, "limit">;
    pattern: string;
    terms: { step_minor: bigint; most_minor: bigint | null } | null;
    limit: number;
  },
): Promise<UnpayableRow[]> {
  const { run_id, statuses, one_currency, after, until_affiliate_id } = range;
  return await sql<UnpayableRow[]>`
    select id, affiliate_name, payout_email, amount_minor, currency from payouts
    where organization_id = ${organizationId} and run_id = ${run_id}
      and (affiliate_id, currency) > (${after.affiliate_id}::uuid, ${after.currency}::text)
      and (${one_currency}::text is null or currency = ${one_currency}::text)
      and (${until_affiliate_id}::uuid is null or affiliate_id < ${until_affiliate_id}::uuid)
      and status = any (${[...statuses]}::text[])
      and (${range.with_withheld} or not exists (
        select from current_payout_holds hold
        where hold.organization_id = ${organizationId} and hold.affiliate_id = payouts.affiliate_id))
      and (${terms === null} or payout_email is null or payout_email = '' or payout_email ~ ${pattern}
        or amount_minor % ${terms?.step_minor ?? 1n}::bigint <> 0
        or amount_minor > ${terms?.most_minor ?? null}::bigint)
    order by affiliate_id, currency limit ${limit}`;
}

/** The fields of a payout against which a result is checked. */
export interface RunPayoutRow {
  id: string;
  amount_minor: bigint;
  currency: string;
  status: PayoutRow["status"];
}

/** A join, so that Postgres looks up each id instead of scanning the run and comparing with all ids. */
const FIND = statement<RunPayoutRow, "organization_id" | "run_id" | "ids">(`
  select payout.id, payout.amount_minor, payout.currency, payout.status
  from (select distinct unnest(:ids::uuid[]) as id) named
  join payouts payout on payout.organization_id = :organization_id::uuid and payout.id = named.id
  where payout.run_id = :run_id::uuid`);

/** Returns the ids among these of payouts of the run. */
export async function findRunPayouts(
  sql: Connection,
  organizationId: string,
  { run_id, ids }: { run_id: string; ids: readonly string[] },
): Promise<RunPayoutRow[]> {
  return await FIND.run(sql, { organization_id: organizationId, run_id, ids });
}

/** A join, so that Postgres scans the run once for all endings, not once for each. */
const FIND_BY_ENDING = statement<RunPayoutRow, "organization_id" | "run_id" | "endings">(`
  select payout.id, payout.amount_minor, payout.currency, payout.status
  from (select distinct unnest(:endings::text[]) as ending) named
  join payouts payout on right(payout.id::text, 12) = named.ending
  where payout.organization_id = :organization_id::uuid and payout.run_id = :run_id::uuid`);

/** Returns the run's payouts with ids that end in any of these 12 hexadecimal digits. */
export async function findRunPayoutsByEnding(
  sql: Connection,
  organizationId: string,
  { run_id, endings }: { run_id: string; endings: readonly string[] },
): Promise<RunPayoutRow[]> {
  return await FIND_BY_ENDING.run(sql, { organization_id: organizationId, run_id, endings });
}

/** A download of a run's file, by the fields that the audit log has of it. */
export interface DownloadRow {
  format: string;
  currency: string | null;
  file: number;
  actor: string;
  actor_name: string | null;
  created_at: Date;
}

const DOWNLOADS = statement<DownloadRow, "organization_id" | "run_id" | "most">(`
  select format, currency, file, actor, created_at,
    ${actorName({ organization_id: ":organization_id::uuid", actor: "download.actor" })} as actor_name
  from (
    select *, row_number() over (partition by format, currency, file order by id desc) as number
    from (
      select id, actor, created_at, after ->> 'format' as format, after ->> 'currency' as currency,
        (after ->> 'file')::int as file
      from audit_log_entries
      where organization_id = :organization_id::uuid and resource_id = :run_id::uuid::text
        and resource || '' = 'payout_run' and action = 'downloaded'
    ) as entry
  ) as download
  where number <= :most::int
  order by id desc`);

/** Returns the last downloads of each of a run's files, newest first, however often another file was downloaded since. */
export async function listDownloads(
  sql: Connection,
  organizationId: string,
  { run_id, most }: { run_id: string; most: number },
): Promise<DownloadRow[]> {
  return await DOWNLOADS.run(sql, { organization_id: organizationId, run_id, most });
}

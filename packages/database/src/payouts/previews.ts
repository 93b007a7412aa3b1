import { type AffiliateText, affiliateTextCondition } from "../affiliates/search.ts";
import type { MinimumPayoutsRow } from "../organizations/settings.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { isWithheld } from "./holds.ts";
import type { Payee } from "./runs.ts";

export type PreviewOutcome = "included" | "held" | "below_minimum" | "negative" | "withheld";

/** Sums of a currency, amounts in minor units. A payee with some held commissions is in `held`, too. */
export interface PreviewTotalsRow {
  currency: string;
  part: PreviewOutcome;
  payees: number;
  amount_minor: string;
}

/** The stored preview of an organization's next run. */
export interface StoredPreviewRow {
  captured_at: Date;
  milliseconds: number;
  payees: number;
  /** The affiliates that the run pays. */
  affiliates: number;
  totals: PreviewTotalsRow[];
}

export async function findPreview(sql: Connection, organizationId: string): Promise<StoredPreviewRow | null> {
  const [row] = await sql<StoredPreviewRow[]>`
    select captured_at, milliseconds, payees, affiliates, totals from payout_previews where organization_id = ${organizationId}`;
  return row ?? null;
}

/** The same, locked until the transaction ends. Before the first capture it is as of 1970. */
export async function lockPreview(sql: Transaction, organizationId: string): Promise<StoredPreviewRow> {
  await sql`
    insert into payout_previews (organization_id, captured_at, milliseconds, payees, totals)
    values (${organizationId}, 'epoch', 0, 0, '[]') on conflict (organization_id) do nothing`;
  const [row] = await sql<StoredPreviewRow[]>`
    select captured_at, milliseconds, payees, affiliates, totals from payout_previews where organization_id = ${organizationId}
    for update`;
  if (row === undefined) throw new Error("a locked preview disappeared");
  return row;
}

/** Replaces only rows that differ: within a minute, few do. The outcomes are those of `payableOutcome` in packages/domain. */
const CAPTURE = statement<object, "organization_id" | "cutoff_at" | "minimum_payouts">(`
  with unpaid as (
    select affiliate_id, currency,
      coalesce(sum(commission_minor) filter (where due_at <= :cutoff_at::timestamptz), 0)::bigint as due_minor,
      (count(*) filter (where due_at <= :cutoff_at::timestamptz))::int as payment_count,
      coalesce(sum(commission_minor) filter (where due_at > :cutoff_at::timestamptz), 0)::bigint as held_minor,
      max(due_at) filter (where due_at > :cutoff_at::timestamptz and due_at < 'infinity') as held_until
    from unpaid_commissions where organization_id = :organization_id::uuid
    group by affiliate_id, currency
  ),
  payee as materialized (
    select affiliate_id, currency,
      case when due_minor = 0 then 'held' when due_minor < 0 then 'negative'
        when ${isWithheld("unpaid")} then 'withheld'
        when due_minor >= coalesce((:minimum_payouts::text::jsonb ->> currency)::bigint, 0)
        then 'included' else 'below_minimum' end as outcome,
      due_minor, payment_count, held_minor, held_until
    from unpaid where due_minor <> 0 or held_minor <> 0
  ),
  removed as (
    delete from payout_preview_rows former
    where organization_id = :organization_id::uuid and not exists (
      select from payee where payee.affiliate_id = former.affiliate_id and payee.currency = former.currency)
  )
  insert into payout_preview_rows as former (organization_id, affiliate_id, currency, outcome, due_minor, payment_count,
    held_minor, held_until)
  select :organization_id::uuid, affiliate_id, currency, outcome, due_minor, payment_count, held_minor, held_until
  from payee
  on conflict (organization_id, affiliate_id, currency) do update
  set outcome = excluded.outcome, due_minor = excluded.due_minor, payment_count = excluded.payment_count,
    held_minor = excluded.held_minor, held_until = excluded.held_until
  where (former.outcome, former.due_minor, former.payment_count, former.held_minor, former.held_until)
    is distinct from
    (excluded.outcome, excluded.due_minor, excluded.payment_count, excluded.held_minor, excluded.held_until)`);

/** Classifies all payees as a run at the cutoff would. */
export async function capturePreview(
  sql: Transaction,
  organizationId: string,
  { cutoff_at, minimum_payouts }: { cutoff_at: Date; minimum_payouts: MinimumPayoutsRow },
): Promise<void> {
  await CAPTURE.run(sql, {
    organization_id: organizationId,
    cutoff_at,
    minimum_payouts: JSON.stringify(minimum_payouts),
  });
}

/** Sums up the captured rows. */
export async function finishPreview(
  sql: Transaction,
  organizationId: string,
  { captured_at, milliseconds }: { captured_at: Date; milliseconds: number },
): Promise<void> {
  await sql`
    with part as (
      select currency, outcome as part, count(*) as payees, sum(due_minor) as amount_minor
      from payout_preview_rows where organization_id = ${organizationId} and outcome <> 'held'
      group by currency, outcome
      union all
      select currency, 'held', count(*), sum(held_minor)
      from payout_preview_rows where organization_id = ${organizationId} and held_minor > 0
      group by currency
    )
    update payout_previews
    set captured_at = ${captured_at}, milliseconds = ${milliseconds},
      payees = (select count(*) from payout_preview_rows where organization_id = ${organizationId}),
      affiliates = (
        select count(distinct affiliate_id) from payout_preview_rows
        where organization_id = ${organizationId} and outcome = 'included'),
      totals = coalesce((
        select jsonb_agg(jsonb_build_object('currency', currency, 'part', part, 'payees', payees,
          'amount_minor', amount_minor::text) order by currency, part) from part), '[]')
    where organization_id = ${organizationId}`;
}

export interface PreviewRow extends Payee {
  affiliate_name: string;
  /** The address to pay to. */
  payout_email: string;
  has_payout_email: boolean;
  outcome: string;
  due_minor: bigint;
  payment_count: number;
  held_minor: bigint;
  held_until: Date | null;
  banned: boolean;
  agreed: boolean;
  disowned: boolean;
  erased: boolean;
  /** Why a person left the affiliate out of runs; null: nobody has. */
  hold_reason: string | null;
  /** Whether a ban set the hold, and has ended. */
  hold_is_stale: boolean;
}

export interface PreviewFilter {
  part?: PreviewOutcome | undefined;
  currency?: string | undefined;
  text?: AffiliateText | undefined;
}

/** The position of a row: by currency, the largest amount first. */
export interface PreviewPosition extends Payee {
  amount_minor: bigint;
}

export interface PreviewRange {
  after: PreviewPosition | null;
  before: PreviewPosition | null;
  limit: number;
}

export interface PreviewQuery {
  filter: PreviewFilter;
  range: PreviewRange;
  /** A frequent text is looked for in so many rows. */
  searched: number;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/** Returns captured rows, by currency and amount: the held amount of part `held`, else the due one; with `before`, backwards. */
export async function listPreviewRows(
  sql: Connection,
  organizationId: string,
  query: PreviewQuery,
): Promise<PreviewRow[]> {
  const { filter, range } = query;
  const order = range.before === null ? sql`asc` : sql`desc`;
  return await sql<PreviewRow[]>`
    select preview.affiliate_id, preview.currency,
      display_name(affiliate.first_name, affiliate.last_name, affiliate.email) as affiliate_name,
      coalesce(affiliate.payout_email, affiliate.email) as payout_email,
      affiliate.payout_email is not null as has_payout_email, preview.outcome, preview.due_minor,
      preview.payment_count, preview.held_minor, preview.held_until, affiliate.banned, affiliate.agreed_at is not null as agreed,
      affiliate.disowned_at is not null as disowned, affiliate.erased_at is not null as erased, hold.reason as hold_reason,
      coalesce(hold.of_ban and not affiliate.banned, false) as hold_is_stale
    from (
      select * from (${nextRows(sql, organizationId, query)}) as preview ${frequentText(sql, organizationId, filter)}
      limit ${range.limit}
    ) as preview
    join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = preview.affiliate_id
    left join current_payout_holds hold
      on hold.organization_id = ${organizationId} and hold.affiliate_id = preview.affiliate_id
    order by preview.currency ${order}, preview.rank ${order}, preview.affiliate_id ${order}`;
}

/** Returns the last of the rows in which a frequent text is looked for; null: they were all. */
export async function findLastSearched(
  sql: Connection,
  organizationId: string,
  query: PreviewQuery,
): Promise<PreviewPosition | null> {
  const [row] = await sql<PreviewPosition[]>`
    select currency, affiliate_id, -rank as amount_minor
    from (${nextRows(sql, organizationId, query)}) as preview offset ${query.searched - 1}`;
  return row ?? null;
}

/** The next rows of a page, or those in which a frequent text is looked for. */
function nextRows(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: PreviewQuery,
): Fragment {
  const order = range.before === null ? sql`asc` : sql`desc`;
  const rank = filter.part === "held" ? sql`-held_minor` : sql`-due_minor`;
  const limit = isFrequent(filter) ? searched : range.limit;
  return sql`
    select *, ${rank} as rank from payout_preview_rows preview
    where organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}
      ${beyond(sql, { rank, compare: sql`>`, position: range.after })}
      ${beyond(sql, { rank, compare: sql`<`, position: range.before })}
    order by currency ${order}, ${rank} ${order}, affiliate_id ${order}
    limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

/** Whether many affiliates may have the text, so that the rows of the list are searched for it. */
export function isFrequent({ text }: PreviewFilter): boolean {
  return text?.affiliate_ids === null;
}

function beyond(
  sql: Connection,
  { rank, compare, position }: { rank: Fragment; compare: Fragment; position: PreviewPosition | null },
): Fragment {
  if (position === null) return sql``;
  const { currency, amount_minor, affiliate_id } = position;
  return sql`and (currency, ${rank}, affiliate_id) ${compare} (${currency}, ${-amount_minor}::bigint, ${affiliate_id})`;
}

function conditions(sql: Connection, organizationId: string, filter: PreviewFilter): Fragment[] {
  const { part, currency, text } = filter;
  return [
    part === undefined ? sql`` : part === "held" ? sql`and held_minor > 0` : sql`and outcome = ${part}`,
    currency === undefined ? sql`` : sql`and currency = ${currency}`,
    text === undefined || text.affiliate_ids === null
      ? sql``
      : affiliateTextCondition(sql, organizationId, text)(sql`preview.affiliate_id`),
  ];
}

/** Of a frequent text, the affiliates are looked up one by one in the order of the list: a page needs few of them. */
function frequentText(sql: Connection, organizationId: string, { text }: PreviewFilter): Fragment {
  if (text === undefined || text.affiliate_ids !== null) return sql``;
  return sql`
    cross join lateral (
      select from (select preview.affiliate_id as id) as payee
      where true ${affiliateTextCondition(sql, organizationId, text)(sql`payee.id`)} offset 0) as found`;
}

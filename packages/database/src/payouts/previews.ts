import { type AffiliateText, affiliateTextCondition } from "../affiliates/search.ts";
import type { MinimumPayoutsRow } from "../organizations/settings.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import {
  JOIN_RATES,
  PAID_IN_ONE,
  PAYOUT_MINOR,
  RATE,
  type RunRateRow,
  type RunRatesRow,
  ratesJson,
} from "./conversions.ts";
import { isWithheld } from "./holds.ts";
import type { Payee } from "./runs.ts";

export type PreviewOutcome = "included" | "held" | "below_minimum" | "negative" | "withheld" | "rate_missing";

/**
 * Sums of a currency, amounts in minor units. A payee with some held commissions is in `held`, too. Amounts
 * that the run converts are in `included` of the currency that the payee is paid in.
 */
export interface PreviewTotalsRow {
  currency: string;
  part: PreviewOutcome;
  payees: number;
  amount_minor: string;
}

/** The stored preview of an organization's next run. */
export interface StoredPreviewRow extends RunRatesRow {
  captured_at: Date;
  milliseconds: number;
  payees: number;
  /** The affiliates that the run pays. */
  affiliates: number;
  totals: PreviewTotalsRow[];
}

const STORED = "captured_at, milliseconds, payees, affiliates, totals, exchange_rates, missing_rates";

export async function findPreview(sql: Connection, organizationId: string): Promise<StoredPreviewRow | null> {
  const [row] = await sql<StoredPreviewRow[]>`
    select ${sql.unsafe(STORED)} from payout_previews where organization_id = ${organizationId}`;
  return row ?? null;
}

/** The same, locked until the transaction ends. Before the first capture it is as of 1970. */
export async function lockPreview(sql: Transaction, organizationId: string): Promise<StoredPreviewRow> {
  await sql`
    insert into payout_previews (organization_id, captured_at, milliseconds, payees, totals)
    values (${organizationId}, 'epoch', 0, 0, '[]') on conflict (organization_id) do nothing`;
  const [row] = await sql<StoredPreviewRow[]>`
    select ${sql.unsafe(STORED)} from payout_previews where organization_id = ${organizationId}
    for update`;
  if (row === undefined) throw new Error("a locked preview disappeared");
  return row;
}

const CAPTURED = [
  "outcome",
  "due_minor",
  "payment_count",
  "held_minor",
  "held_until",
  "payout_currency",
  "payout_minor",
  "missing_rates",
];

/** Replaces only rows that differ: within a minute, few do. The outcomes are those of `payableOutcome` in packages/domain. */
const CAPTURE = statement<object, "organization_id" | "cutoff_at" | "minimum_payouts" | "rates">(`
  with paid_in_one as materialized (${PAID_IN_ONE}),
  ${RATE},
  unpaid as (
    select affiliate_id, currency,
      coalesce(sum(commission_minor) filter (where due_at <= :cutoff_at::timestamptz), 0)::bigint as due_minor,
      (count(*) filter (where due_at <= :cutoff_at::timestamptz))::int as payment_count,
      coalesce(sum(commission_minor) filter (where due_at > :cutoff_at::timestamptz), 0)::bigint as held_minor,
      max(due_at) filter (where due_at > :cutoff_at::timestamptz and due_at < 'infinity') as held_until
    from unpaid_commissions where organization_id = :organization_id::uuid
    group by affiliate_id, currency
  ),
  due as materialized (
    select unpaid.*, paid_in_one.payout_currency from unpaid left join paid_in_one using (affiliate_id)
    where due_minor <> 0 or held_minor <> 0
  ),
  priced as materialized (
    select due.*, ${PAYOUT_MINOR} as payout_minor,
      array_remove(array[
        case when from_rate.rate is null and payout_currency <> due.currency then due.currency end,
        case when to_rate.rate is null and payout_currency <> due.currency then payout_currency end
      ], null) as missing_rates
    from due ${JOIN_RATES}
  ),
  summed as (
    select priced.*, coalesce(payout_currency, currency) as paid_currency,
      case when payout_currency is null then due_minor
        else coalesce(sum(payout_minor) over (partition by affiliate_id), 0) end as sum_minor
    from priced
  ),
  payee as materialized (
    select affiliate_id, currency,
      case when due_minor = 0 then 'held'
        when cardinality(missing_rates) > 0 then 'rate_missing'
        when sum_minor <= 0 then 'negative'
        when ${isWithheld("summed")} then 'withheld'
        when sum_minor >= coalesce((:minimum_payouts::text::jsonb ->> paid_currency)::bigint, 0)
        then 'included' else 'below_minimum' end as outcome,
      due_minor, payment_count, held_minor, held_until, payout_currency, payout_minor, missing_rates
    from summed
  ),
  removed as (
    delete from payout_preview_rows former
    where organization_id = :organization_id::uuid and not exists (
      select from payee where payee.affiliate_id = former.affiliate_id and payee.currency = former.currency)
  )
  insert into payout_preview_rows as former (organization_id, affiliate_id, currency, ${CAPTURED.join(", ")})
  select :organization_id::uuid, affiliate_id, currency, ${CAPTURED.join(", ")}
  from payee
  on conflict (organization_id, affiliate_id, currency) do update
  set ${CAPTURED.map((column) => `${column} = excluded.${column}`).join(", ")}
  where (${CAPTURED.map((column) => `former.${column}`).join(", ")})
    is distinct from (${CAPTURED.map((column) => `excluded.${column}`).join(", ")})`);

/** Classifies all payees as a run at the cutoff would. */
export async function capturePreview(
  sql: Transaction,
  organizationId: string,
  terms: { cutoff_at: Date; minimum_payouts: MinimumPayoutsRow; rates: readonly RunRateRow[] },
): Promise<void> {
  await CAPTURE.run(sql, {
    organization_id: organizationId,
    cutoff_at: terms.cutoff_at,
    minimum_payouts: JSON.stringify(terms.minimum_payouts),
    rates: ratesJson(terms.rates),
  });
}

/** Sums up the captured rows. */
export async function finishPreview(
  sql: Transaction,
  organizationId: string,
  {
    captured_at,
    milliseconds,
    exchange_rates,
    missing_rates,
  }: RunRatesRow & { captured_at: Date; milliseconds: number },
): Promise<void> {
  await sql`
    with part as (
      select currency, outcome as part, count(*) as payees, sum(due_minor) as amount_minor
      from payout_preview_rows
      where organization_id = ${organizationId} and outcome not in ('held', 'included')
      group by currency, outcome
      union all
      select coalesce(payout_currency, currency), 'included', count(distinct affiliate_id),
        sum(coalesce(payout_minor, due_minor))
      from payout_preview_rows where organization_id = ${organizationId} and outcome = 'included'
      group by coalesce(payout_currency, currency)
      union all
      select currency, 'held', count(*), sum(held_minor)
      from payout_preview_rows where organization_id = ${organizationId} and held_minor > 0
      group by currency
    )
    update payout_previews
    set captured_at = ${captured_at}, milliseconds = ${milliseconds},
      exchange_rates = ${sql.json(exchange_rates as never)}, missing_rates = ${missing_rates},
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
  /** The currency that the affiliate is paid in; null: each one. */
  payout_currency: string | null;
  /** The due amount in it; null: a rate is missing, or the affiliate is paid in each currency. */
  payout_minor: bigint | null;
  missing_rates: string[];
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
  /** The number of rows to search for a frequent text. */
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
      preview.payment_count, preview.held_minor, preview.held_until, preview.payout_currency, preview.payout_minor,
      preview.missing_rates, affiliate.banned, affiliate.agreed_at is not null as agreed,
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
    // The sum of `included` is in the currency that is paid.
    currency === undefined
      ? sql``
      : sql`and ${part === "included" ? sql`coalesce(payout_currency, currency)` : sql`currency`} = ${currency}`,
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

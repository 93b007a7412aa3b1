import type { Connection } from "./connect.ts";
import type {
  AffiliateRow,
  CampaignRow,
  CommissionRow,
  PayoutRow,
  ReferralWithAffiliateRow,
} from "./rows.ts";
import { statement } from "./statement.ts";

/** A sub-select, as a tagged template makes it. */
type Fragment = ReturnType<Connection["unsafe"]>;

/** Reads a resource with all that is nested in it. */
export interface Reader<Row> {
  find(sql: Connection, organizationId: string, id: string): Promise<Row | null>;
  /** Those of the ids that exist. */
  findAll(sql: Connection, organizationId: string, ids: string[]): Promise<Row[]>;
  /** The rows that a `select` of the resource's own table chooses, newest first. */
  list(sql: Connection, chosen: Fragment): Promise<Row[]>;
}

export interface LockingReader<Row> extends Reader<Row> {
  /** As `find`; other changes of the row wait for this transaction. */
  lock(sql: Connection, organizationId: string, id: string): Promise<Row | null>;
}

interface Resource {
  /** What its table is named, and what the table is called in its columns and joins. */
  table: string;
  noun: string;
  columns: string;
  joins: string;
}

/**
 * A resource's own rows are chosen first, in a sub-select, and all else is then joined to those few by its
 * primary key. In one flat join the planner would see that every table has the same organization_id, and,
 * where its statistics are old, begin with all the rows of an organization in the wrong table.
 */
function reader<Row>(resource: Resource): Reader<Row> {
  const { table, columns } = resource;
  const { head, tail } = aroundChosen(resource);
  const all = `select * from ${table} where organization_id = :organization_id::uuid and id = any (:ids::uuid[])`;
  // The limit takes nothing away; it keeps the planner from making one flat join of it.
  const findAll = statement<Flat, "organization_id" | "ids" | "most">(
    `${head}${all} limit :most::int${tail}`,
  );
  const folding = foldingOf(columns);
  return {
    find: oneReader(resource, "limit 1"),
    findAll: async (sql, organization_id, ids) => {
      const rows = await findAll.run(sql, { organization_id, ids, most: ids.length });
      return rows.map((row) => fold(row, folding) as Row);
    },
    list: async (sql, chosen) => {
      const rows = await sql`${sql.unsafe(head)}${chosen}${sql.unsafe(tail)}`;
      return rows.map((row) => fold(row, folding) as Row);
    },
  };
}

/** A reader of what has a table of its own, which a view has not. */
function lockingReader<Row>(resource: Resource): LockingReader<Row> {
  return { ...reader<Row>(resource), lock: oneReader(resource, "for no key update") };
}

function oneReader<Row>(resource: Resource, manner: string): Reader<Row>["find"] {
  const { head, tail } = aroundChosen(resource);
  const chosen = `select * from ${resource.table} where organization_id = :organization_id::uuid and id = :id::uuid`;
  const one = statement<Flat, "organization_id" | "id">(`${head}${chosen} ${manner}${tail}`);
  const folding = foldingOf(resource.columns);
  return async (sql, organization_id, id) => {
    const [row] = await one.run(sql, { organization_id, id });
    return row === undefined ? null : (fold(row, folding) as Row);
  };
}

function aroundChosen({ noun, columns, joins }: Resource): { head: string; tail: string } {
  return { head: `select ${columns} from (`, tail: `) as ${noun} ${joins} order by ${noun}.id desc` };
}

type Flat = Record<string, unknown>;

/** How the columns `id`, `campaign.id`, … of a flat row become `{ id, campaign: { id } }`. */
interface Folding {
  own: { column: string; name: string }[];
  nested: { noun: string; id: string; folding: Folding }[];
}

function foldingOf(columns: string): Folding {
  const names = [...columns.matchAll(/ as "([^"]+)"/g)].map(([, name = ""]) => name);
  return foldingUnder("", names);
}

function foldingUnder(prefix: string, columns: string[]): Folding {
  const names = columns
    .filter((column) => column.startsWith(prefix))
    .map((column) => column.slice(prefix.length));
  const nouns = new Set(names.filter((name) => name.includes(".")).map((name) => name.split(".")[0] ?? ""));
  return {
    own: names.filter((name) => !name.includes(".")).map((name) => ({ column: `${prefix}${name}`, name })),
    nested: [...nouns].map((noun) => ({
      noun,
      id: `${prefix}${noun}.id`,
      folding: foldingUnder(`${prefix}${noun}.`, columns),
    })),
  };
}

/** A joined row without an id did not exist. */
function fold(row: Flat, { own, nested }: Folding): Flat {
  const folded: Flat = {};
  for (const { column, name } of own) folded[name] = row[column];
  for (const { noun, id, folding } of nested) folded[noun] = row[id] === null ? null : fold(row, folding);
  return folded;
}

function columnsOf(names: string, table: string, prefix: string): string {
  return names
    .split(" ")
    .map((name) => `${table}.${name} as "${prefix}${name}"`)
    .join(", ");
}

const CAMPAIGN =
  "id name website_url commission_type commission_value is_default limit_type limit_amount code_mode reference_coupon custom_commission_type custom_commissions welcome_message approval_needed collect_details details_text custom_fields hide_emails dashboard_text cookie_duration first_payment_enabled first_payment_type first_payment_value customers attribution commission_cap skip_prorations created_at";

const AFFILIATE =
  "id email first_name last_name payout_email clicks approved banned details custom_fields new_paid_referral_notifications created_at erased_at";

const REFERRAL = "id email subscription_status signup_date processor_customer_id converted_at created_at";

const REDUCED_PAYOUT = "id affiliate_name payout_email amount_minor currency period payment_count created_at";

const COMMISSION =
  "id revenue_minor commission_minor currency payout_status referral_date processor_payment_id created_at";

/** An affiliate's columns with its codes, and its campaign's. */
function affiliateColumns(prefix: string): string {
  return `${columnsOf(AFFILIATE, "affiliate", prefix)},
    (select coalesce(json_agg(json_build_object('kind', code.kind, 'code', code.code, 'external_id', code.external_id)
        order by code.id), '[]')
      from affiliate_codes code
      where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
    ) as "${prefix}codes",
    ${columnsOf(CAMPAIGN, "campaign", `${prefix}campaign.`)}`;
}

const JOIN_CAMPAIGN = `join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`;

function joinAffiliate(noun: string): string {
  return `join affiliates affiliate
    on affiliate.organization_id = ${noun}.organization_id and affiliate.id = ${noun}.affiliate_id
  ${JOIN_CAMPAIGN}`;
}

export const campaignReader = lockingReader<CampaignRow>({
  table: "campaigns",
  noun: "campaign",
  columns: columnsOf(CAMPAIGN, "campaign", ""),
  joins: "",
});

export const affiliateReader = lockingReader<AffiliateRow>({
  table: "affiliates",
  noun: "affiliate",
  columns: affiliateColumns(""),
  joins: JOIN_CAMPAIGN,
});

export const referralReader = lockingReader<ReferralWithAffiliateRow>({
  table: "referrals",
  noun: "referral",
  columns: `${columnsOf(`${REFERRAL} superseded_at`, "referral", "")}, ${affiliateColumns("affiliate.")}`,
  joins: joinAffiliate("referral"),
});

export const payoutReader = reader<PayoutRow>({
  table: "payouts",
  noun: "payout",
  columns: `${columnsOf(`${REDUCED_PAYOUT} status method`, "payout", "")}, ${affiliateColumns("affiliate.")}`,
  joins: joinAffiliate("payout"),
});

export const commissionReader = reader<CommissionRow>({
  table: "commission_states",
  noun: "commission",
  columns: `${columnsOf(COMMISSION, "commission", "")}, ${columnsOf(REFERRAL, "referral", "referral.")},
    ${columnsOf(REDUCED_PAYOUT, "payout", "payout.")}, ${affiliateColumns("affiliate.")}`,
  joins: `join referrals referral
      on referral.organization_id = commission.organization_id and referral.id = commission.referral_id
    ${joinAffiliate("commission")}
    left join payouts payout
      on payout.organization_id = commission.organization_id and payout.id = commission.payout_id`,
});

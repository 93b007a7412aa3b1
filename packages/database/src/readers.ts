import { profile_fields } from "@findersfee/contract/affiliates/fields";
import { JOIN_REVIEW } from "./commissions/reviews.ts";
import { CONVERSIONS } from "./payouts/conversions.ts";
import type { Connection } from "./postgres/connect.ts";
import { type ChosenPage, pageOf } from "./postgres/pages.ts";
import { type Statement, statement } from "./postgres/statement.ts";
import type {
  AffiliateRow,
  CodeRow,
  CommissionRow,
  PayoutRow,
  ReferralWithAffiliateRow,
  RuledCampaignRow,
} from "./rows.ts";

/** Reads a resource with its nested resources. */
export interface Reader<Row> {
  find(sql: Connection, organizationId: string, id: string): Promise<Row | null>;
  /** Returns the ids among these that exist. */
  findAll(sql: Connection, organizationId: string, ids: string[]): Promise<Row[]>;
  /** Returns a page of the resource's own table, newest first. Equal parents are one object. */
  list(sql: Connection, organizationId: string, page: ChosenPage): Promise<Row[]>;
}

export interface LockingReader<Row> extends Reader<Row> {
  /** Same as `find`, and locks the row against changes until the transaction ends. */
  lock(sql: Connection, organizationId: string, id: string): Promise<Row | null>;
}

interface Resource {
  table: string;
  /** The alias of the table in columns and joins. */
  noun: string;
  /** The columns without the parent's, each with a prefix. */
  columns: (prefix: string) => string;
  /** Joins of other tables that `columns` reads. */
  joins: string;
  /** The nested resource that `<noun>_id` refers to. */
  parent: Resource | null;
  /** Rows of another table that belong to one of this resource. */
  list?: NestedList;
}

/** Rows with `<noun>_id`, as a list in the resource. */
interface NestedList {
  name: string;
  /** A sub-select with the list as JSON. */
  json: string;
  /** The rows that belong to some of the resources, in the order of the list. */
  all: Statement<Flat, "organization_id" | "ids">;
}

/**
 * Selects a resource's own rows in a sub-select, and then joins everything else to those few by primary key.
 * In one flat join the planner would see that every table has the same organization_id, and, with outdated
 * statistics, start with all rows of an organization in the wrong table.
 */
function reader<Row>(resource: Resource): Reader<Row> {
  const all = joined(resource);
  const findAll = allStatement(resource, all);
  const fold = foldOf(all.columns);
  return {
    find: oneReader(resource, "limit 1"),
    findAll: async (sql, organization_id, ids) => {
      const rows = await findAll.run(sql, { organization_id, ids, most: ids.length });
      return rows.map((row) => fold(row) as Row);
    },
    list: lister(resource),
  };
}

/** A reader for a resource with its own table, not a view. */
function lockingReader<Row>(resource: Resource): LockingReader<Row> {
  return { ...reader<Row>(resource), lock: oneReader(resource, "for no key update") };
}

function oneReader<Row>(resource: Resource, manner: string): Reader<Row>["find"] {
  const all = joined(resource);
  const chosen = `select * from ${resource.table} where organization_id = :organization_id::uuid and id = :id::uuid`;
  const one = statement<Flat, "organization_id" | "id">(
    around(resource, all, `${chosen} ${manner}`).join(""),
  );
  const fold = foldOf(all.columns);
  return async (sql, organization_id, id) => {
    const [row] = await one.run(sql, { organization_id, id });
    return row === undefined ? null : (fold(row) as Row);
  };
}

/**
 * Reads a page without its parents and lists, and then those of all rows: many commissions have the same affiliate, and
 * most affiliates the same campaign with its 30 columns.
 */
function lister<Row>(resource: Resource): Reader<Row>["list"] {
  const [head, , tail] = around(resource, withoutParent(resource), "");
  const nest = nester(resource);
  return async (sql, organization_id, page) => {
    const chosen = pageOf(sql, resource.noun, page);
    const rows = await sql<Flat[]>`${sql.unsafe(head)}${chosen}${sql.unsafe(tail)}`;
    return (await nest(sql, organization_id, rows)) as Row[];
  };
}

/** Nests flat rows in their parents by `<noun>_id`, and their lists in them. */
function nester(resource: Resource) {
  const fold = foldOf(resource.columns(""));
  const setLists = listSetter(resource);
  const setParents = parentSetter(resource);
  return async (sql: Connection, organization_id: string, rows: Flat[]): Promise<Flat[]> => {
    const folded = rows.map((row) => fold(row));
    if (rows.length === 0) return folded;
    await setLists(sql, organization_id, folded);
    await setParents(sql, organization_id, { rows, folded });
    return folded;
  };
}

function listSetter({ noun, list }: Resource) {
  return async (sql: Connection, organization_id: string, resources: Flat[]): Promise<void> => {
    if (list === undefined) return;
    const by_id = new Map(resources.map((row) => [row.id, [] as Flat[]]));
    const items = await list.all.run(sql, { organization_id, ids: resources.map(({ id }) => id as string) });
    for (const { [`${noun}_id`]: id, ...item } of items) by_id.get(id)?.push(item);
    for (const resource of resources) resource[list.name] = by_id.get(resource.id);
  };
}

function parentSetter({ parent }: Resource) {
  if (parent === null) return async () => {};
  const findAll = allStatement(parent, withoutParent(parent));
  const nest = nester(parent);
  const { noun } = parent;
  const key = `${noun}_id`;
  return async (
    sql: Connection,
    organization_id: string,
    { rows, folded }: Record<"rows" | "folded", Flat[]>,
  ) => {
    const ids = [...new Set(rows.map((row) => row[key] as string))];
    const found = await findAll.run(sql, { organization_id, ids, most: ids.length });
    const by_id = new Map((await nest(sql, organization_id, found)).map((row) => [row.id, row]));
    for (const [index, row] of rows.entries()) (folded[index] as Flat)[noun] = by_id.get(row[key]);
  };
}

function allStatement(resource: Resource, source: Source) {
  const all = `select * from ${resource.table} where organization_id = :organization_id::uuid and id = any (:ids::uuid[])`;
  // The limit excludes no row; it prevents the planner from flattening the join.
  return statement<Flat, "organization_id" | "ids" | "most">(
    around(resource, source, `${all} limit :most::int`).join(""),
  );
}

/** The sources of a statement beside the selected rows. */
type Source = Record<"columns" | "joins", string>;

function joined({ noun, columns, joins, parent, list }: Resource, prefix = ""): Source {
  const own =
    list === undefined ? columns(prefix) : `${columns(prefix)}, ${list.json} as "${prefix}${list.name}"`;
  if (parent === null) return { columns: own, joins };
  const above = joined(parent, `${prefix}${parent.noun}.`);
  return {
    columns: `${own}, ${above.columns}`,
    joins: `${joins} join ${parent.table} ${parent.noun}
      on ${parent.noun}.organization_id = ${noun}.organization_id and ${parent.noun}.id = ${noun}.${parent.noun}_id
    ${above.joins}`,
  };
}

function withoutParent({ noun, columns, joins, parent }: Resource): Source {
  const key = parent === null ? "" : `, ${noun}.${parent.noun}_id as "${parent.noun}_id"`;
  return { columns: `${columns("")}${key}`, joins };
}

function around({ noun }: Resource, { columns, joins }: Source, chosen: string): [string, string, string] {
  return [`select ${columns} from (`, chosen, `) as ${noun} ${joins} order by ${noun}.id desc`];
}

type Flat = Record<string, unknown>;

/** Converts the columns `id`, `campaign.id`, … of a flat row to `{ id, campaign: { id } }`. */
type Fold = (row: Flat) => Flat;

/**
 * The function is one object literal, compiled once, so that each object gets all of its 50 names at once: setting them one by one takes
 * 30 times as long.
 */
function foldOf(columns: string): Fold {
  const names = [...columns.matchAll(/ as "([^"]+)"/g)].map(([, name = ""]) => name);
  return new Function("row", `return ${literalOf("", names)}`) as Fold;
}

/** A joined row without an id does not exist. */
function literalOf(prefix: string, columns: string[]): string {
  const names = columns
    .filter((column) => column.startsWith(prefix))
    .map((column) => column.slice(prefix.length));
  const nouns = new Set(names.filter((name) => name.includes(".")).map((name) => name.split(".")[0] ?? ""));
  const own = names.filter((name) => !name.includes(".")).map((name) => `${name}: row["${prefix}${name}"]`);
  const nested = [...nouns].map(
    (noun) =>
      `${noun}: row["${prefix}${noun}.id"] === null ? null : ${literalOf(`${prefix}${noun}.`, columns)}`,
  );
  return `{ ${[...own, ...nested].join(", ")} }`;
}

function columnsOf(names: string, table: string, prefix: string): string {
  return names
    .split(" ")
    .map((name) => `${table}.${name} as "${prefix}${name}"`)
    .join(", ");
}

const CAMPAIGN =
  "id name website_url commission_type commission_value is_default limit_type limit_amount code_mode reference_coupon custom_commission_type custom_commissions welcome_message approval_needed collect_details details_text custom_fields hide_emails dashboard_text cookie_duration first_payment_enabled first_payment_type first_payment_value customers attribution commission_cap skip_prorations review review_above_minor review_approve_after_days translations joining rule_set_id tiers leaderboard recruiting_rate recruiting_months signals lead_commissions link_discount_enabled link_discount_description link_discount_shows_affiliate created_at";

const AFFILIATE = `id ${profile_fields.join(" ")} clicks approved banned custom_fields new_paid_referral_notifications created_at erased_at left_at tags rule_schedule recruited_by recruiting_rate recruited_until`;

const REFERRAL = "id email subscription_status signup_date processor_customer_id converted_at created_at";

const REDUCED_PAYOUT = "id affiliate_name payout_email amount_minor currency period payment_count created_at";

const COMMISSION =
  "id revenue_minor commission_minor currency referral_date processor_payment_id review_state lead recruit_commission_id created_at";

const REVIEW = "reasons created_at due_at decided_by decided_at decision_reason";

const CAMPAIGNS: Resource = {
  table: "campaigns",
  noun: "campaign",
  columns: (prefix) => columnsOf(CAMPAIGN, "campaign", prefix),
  joins: "",
  parent: null,
};

const CODES: NestedList = {
  name: "codes",
  json: `(select coalesce(json_agg(json_build_object('kind', code.kind, 'code', code.code,
      'external_id', code.external_id) order by code.id), '[]')
    from affiliate_codes code
    where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
      and code.replaced_at is null)`,
  all: statement<Pick<CodeRow, keyof CodeRow> & { affiliate_id: string }, "organization_id" | "ids">(`
    select affiliate_id, kind, code, external_id from affiliate_codes
    where organization_id = :organization_id::uuid and affiliate_id = any (:ids::uuid[]) and replaced_at is null
    order by id`),
};

/** Looked up by key, as the address belongs to the organization. */
const LINK_URL =
  "(select organization.link_url from organizations organization where organization.id = affiliate.organization_id)";

const AFFILIATES: Resource = {
  table: "affiliates",
  noun: "affiliate",
  columns: (prefix) => `${columnsOf(AFFILIATE, "affiliate", prefix)}, ${LINK_URL} as "${prefix}link_url"`,
  joins: "",
  parent: CAMPAIGNS,
  list: CODES,
};

export const campaignReader = lockingReader<RuledCampaignRow>({
  ...CAMPAIGNS,
  columns: (prefix) => `${CAMPAIGNS.columns(prefix)}, rule_set.rules::text as "${prefix}rules"`,
  joins: `left join commission_rule_sets rule_set
    on rule_set.organization_id = campaign.organization_id and rule_set.id = campaign.rule_set_id`,
});
export const affiliateReader = lockingReader<AffiliateRow>(AFFILIATES);
export const referralReader = lockingReader<ReferralWithAffiliateRow>({
  table: "referrals",
  noun: "referral",
  columns: (prefix) => columnsOf(`${REFERRAL} replaced_at`, "referral", prefix),
  joins: "",
  parent: AFFILIATES,
});

export const payoutReader = reader<PayoutRow>({
  table: "payouts",
  noun: "payout",
  columns: (prefix) =>
    `${columnsOf(`${REDUCED_PAYOUT} status method`, "payout", prefix)}, ${CONVERSIONS} as "${prefix}conversions"`,
  joins: "",
  parent: AFFILIATES,
});

export const commissionReader = reader<CommissionRow>({
  table: "commissions",
  noun: "commission",
  columns: (prefix) =>
    `${columnsOf(COMMISSION, "commission", prefix)},
    payout_status(commission.voided, placed.payout_id, payout.status) as "${prefix}payout_status",
    ${columnsOf(REFERRAL, "referral", `${prefix}referral.`)},
    ${columnsOf(REDUCED_PAYOUT, "payout", `${prefix}payout.`)},
    review.commission_id as "${prefix}review.id", ${columnsOf(REVIEW, "review", `${prefix}review.`)}`,
  // Looked up by key (offset 0), as in the view `commission_states`.
  joins: `join referrals referral
      on referral.organization_id = commission.organization_id and referral.id = commission.referral_id
    left join lateral (
      select payout_id from payout_commissions
      where organization_id = commission.organization_id and affiliate_id = commission.affiliate_id
        and commission_id = commission.id
      offset 0
    ) as placed on true
    left join lateral (
      select * from payouts where organization_id = commission.organization_id and id = placed.payout_id offset 0
    ) as payout on true
    ${JOIN_REVIEW}`,
  parent: AFFILIATES,
});

import { actorName } from "../audit-log/actor-name.ts";
import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";

/** The source of the facts that are people's decisions. */
const SOURCE = "organization";

/** A person's decision about a customer, as the facts store it. */
export interface OverrideRow {
  id: string;
  customer_id: string;
  data: unknown;
  /** The name of the person or key; null: it was deleted. */
  created_by_name: string | null;
}

/** Returns overrides, the newest first: all of an organization, or those of some customers. */
export async function listOverrides(
  sql: Connection,
  organizationId: string,
  { customer_ids, range }: { customer_ids: readonly string[] | null; range: PageRange },
): Promise<OverrideRow[]> {
  return await sql<OverrideRow[]>`
    select subject as id, customer_id, data, ${sql.unsafe(NAME)} as created_by_name
    from payment_facts fact
    where ${conditions(sql, organizationId, customer_ids)}
      ${range.below === null ? sql`` : sql`and subject < ${range.below}`}
    order by subject desc limit ${range.limit} offset ${range.offset}`;
}

const OF_CUSTOMERS = statement<Pick<OverrideRow, "id" | "data">, "organization_id" | "customer_ids">(`
  select subject as id, data from payment_facts
  where organization_id = :organization_id::uuid and customer_id = any (:customer_ids::uuid[])
    and processor = '${SOURCE}' and kind = 'override'`);

/** Returns all overrides of some customers, undone ones included. */
export async function listCustomersOverrides(
  sql: Connection,
  organizationId: string,
  customer_ids: string[],
): Promise<Pick<OverrideRow, "id" | "data">[]> {
  if (customer_ids.length === 0) return [];
  return await OF_CUSTOMERS.run(sql, { organization_id: organizationId, customer_ids });
}

const NAME = actorName({ organization_id: "fact.organization_id", actor: "(fact.data ->> 'created_by')" });

export async function countOverrides(
  sql: Connection,
  organizationId: string,
  customer_ids: readonly string[] | null,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from payment_facts where ${conditions(sql, organizationId, customer_ids)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, customer_ids: readonly string[] | null) {
  const of_customers =
    customer_ids === null ? sql`` : sql`and customer_id = any (${[...customer_ids]}::uuid[])`;
  return sql`organization_id = ${organizationId} and processor = ${SOURCE} and kind = 'override' ${of_customers}`;
}

export async function findOverride(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<OverrideRow | null> {
  const [row] = await sql<OverrideRow[]>`
    select subject as id, customer_id, data, ${sql.unsafe(NAME)} as created_by_name
    from payment_facts fact
    where organization_id = ${organizationId} and processor = ${SOURCE} and kind = 'override'
      and subject = ${id.toLowerCase()}`;
  return row ?? null;
}

/** Removes the reasons of the overrides for an affiliate, and returns the ids of these overrides. */
export async function eraseOverrides(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update payment_facts set data = jsonb_set(data, '{reason}', '"[erased]"')
    where organization_id = ${organizationId} and processor = ${SOURCE} and kind = 'override'
      and data ->> 'affiliate_id' = ${affiliateId}
    returning subject as id`;
  return rows.map(({ id }) => id);
}

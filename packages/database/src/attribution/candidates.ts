import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The affiliate of a promo code, by the processor's id of the code or by its text. */
export interface KnownPromoCode {
  affiliate_id: string;
  external_id: string | null;
  /** In lower case. */
  code: string | null;
  /** The time since which the affiliate has the code. */
  created_at: Date;
}

const FIND_CODES = statement<KnownPromoCode, "organization_id" | "external_ids" | "codes">(`
  select affiliate_id, external_id, null as code, created_at from promotion_codes
  where organization_id = :organization_id::uuid and external_id = any (:external_ids::text[])
  union all
  select affiliate_id, null, lower(code), created_at from affiliate_codes
  where organization_id = :organization_id::uuid and kind = 'promo' and lower(code) = any (:codes::text[])`);

/** Returns affiliates' promo codes by the processor's ids, or by their texts, in lower case. */
export async function findPromoCodes(
  sql: Connection,
  organizationId: string,
  by: { external_ids: string[]; codes: string[] },
): Promise<KnownPromoCode[]> {
  return await FIND_CODES.run(sql, { organization_id: organizationId, ...by });
}

/** The ids of the promotion codes anywhere in a fact; the same expression as in the index. */
const NAMED = "jsonb_path_query_array(data, '$.*[*].external_id')";

const FIND_CUSTOMERS = statement<{ customer_id: string }, "organization_id" | "external_ids">(`
  select distinct customer_id from payment_facts
  where organization_id = :organization_id::uuid and ${NAMED} ?| :external_ids::text[]
    and data @? '$.*[*].external_id ? (@ != null)'`);

/** Returns the customers with facts that name one of these promotion codes. */
export async function findPromoCodesCustomers(
  sql: Connection,
  organizationId: string,
  externalIds: string[],
): Promise<string[]> {
  const rows = await FIND_CUSTOMERS.run(sql, { organization_id: organizationId, external_ids: externalIds });
  return rows.map(({ customer_id }) => customer_id);
}

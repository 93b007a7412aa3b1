import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

export interface PromoCodeRow {
  affiliate_id: string;
  code: string;
  external_id: string | null;
  created_at: Date;
}

const FIND_CODES = statement<PromoCodeRow, "organization_id" | "external_ids" | "codes">(`
  select affiliate_id, code, external_id, created_at from affiliate_codes
  where organization_id = :organization_id::uuid and kind = 'promo'
    and (external_id = any (:external_ids::text[]) or lower(code) = any (:codes::text[]))`);

/** Affiliates' promo codes by the processor's ids, or by what customers type, in lower case. */
export async function findPromoCodes(
  sql: Connection,
  organizationId: string,
  by: { external_ids: string[]; codes: string[] },
): Promise<PromoCodeRow[]> {
  return await FIND_CODES.run(sql, { organization_id: organizationId, ...by });
}

import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

export interface PromoCodeRow {
  affiliate_id: string;
  code: string;
  external_id: string | null;
}

const FIND_CODES = statement<PromoCodeRow, "organization_id" | "external_ids" | "codes">(`
  select affiliate_id, code, external_id from affiliate_codes
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

export interface ClickRow {
  id: string;
  affiliate_id: string;
  clicked_at: Date;
}

const FIND_CLICKS = statement<ClickRow, "organization_id" | "ids" | "times">(`
  select click.id, click.affiliate_id, click.clicked_at
  from unnest(:ids::uuid[], :times::text[]::timestamptz[]) as asked (id, clicked_at)
  join clicks click on click.organization_id = :organization_id::uuid
    and click.id = asked.id and click.clicked_at = asked.clicked_at`);

/** Clicks by their ids and times; an id tells its time, and the time its partition. */
export async function findClicks(
  sql: Connection,
  organizationId: string,
  clicks: readonly { id: string; at: Date }[],
): Promise<ClickRow[]> {
  return await FIND_CLICKS.run(sql, {
    organization_id: organizationId,
    ids: clicks.map(({ id }) => id),
    times: clicks.map(({ at }) => at.toISOString()),
  });
}

import type { Connection } from "../postgres/connect.ts";
import { columnList, jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";

/** An affiliate that the decision about a payment passed over. */
export interface PassedAffiliate {
  affiliate_id: string;
  paid_at: Date;
  decision_id: string;
}

const TYPES = {
  affiliate_id: "uuid",
  paid_at: "timestamptz",
  decision_id: "uuid",
} satisfies Record<keyof PassedAffiliate, string>;

const COLUMNS = columnList(TYPES);
const ROWS = jsonRows("rows", "passed", TYPES);

const INSERT = statement<object, "organization_id" | "rows">(`
  insert into passed_affiliates (organization_id, ${COLUMNS})
  select :organization_id::uuid, ${COLUMNS} from ${ROWS}`);

const DELETE = statement<object, "organization_id" | "rows">(`
  delete from passed_affiliates former using ${ROWS}
  where former.organization_id = :organization_id::uuid and former.affiliate_id = passed.affiliate_id
    and former.paid_at = passed.paid_at and former.decision_id = passed.decision_id`);

/** Records that decisions passed over affiliates. */
export async function insertPassedAffiliates(
  sql: Connection,
  organizationId: string,
  rows: readonly PassedAffiliate[],
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, rows: JSON.stringify(rows) });
}

/** Removes the records of former decisions. */
export async function deletePassedAffiliates(
  sql: Connection,
  organizationId: string,
  rows: readonly PassedAffiliate[],
): Promise<void> {
  await DELETE.run(sql, { organization_id: organizationId, rows: JSON.stringify(rows) });
}

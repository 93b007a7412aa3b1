import { type MatchClaims, matchClaimsInput } from "@findersfee/contract/customers/claims";
import { type ClaimListRow, listClaims } from "@findersfee/database/customers/claims";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../../csv/export-step.ts";
import type { Cell } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";
import { claimFilter } from "./list.ts";

const HEADER = [
  "id",
  "reported",
  "affiliate_id",
  "affiliate_name",
  "affiliate_email",
  "customer_email",
  "paid_on",
  "note",
  "payment_known",
  "state",
  "answer",
  "decided",
  "commission_id",
];

/** The claims of the list's filters as CSV, newest first. */
export const claimsExport: JobKind<MatchClaims> = {
  input: matchClaimsInput,
  file: "claims",
  async step({ sql, organization, input, position, done }) {
    const rows = await listClaims(sql, organization.id, {
      filter: await claimFilter(sql, organization.id, input),
      range: { after: exportPosition.parse(position)?.after ?? null, before: null, limit: EXPORT_PAGE },
    });
    return exportProgress({ done, position }, { header: HEADER, rows, lines: rows.map(lineOf) });
  },
};

function lineOf(row: ClaimListRow): Cell[] {
  return [
    row.id,
    row.created_at.toISOString(),
    row.affiliate_id,
    `${row.first_name} ${row.last_name}`.trim(),
    row.affiliate_email,
    row.email,
    row.paid_on,
    row.note,
    String(row.payment_known),
    row.state,
    row.answer ?? "",
    row.decided_at?.toISOString() ?? "",
    row.commission_id ?? "",
  ];
}

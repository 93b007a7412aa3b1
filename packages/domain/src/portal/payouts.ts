import type {
  GetStatement,
  ListOwnPayouts,
  ListStatementLines,
  OwnPayout,
  OwnStatement,
  OwnStatementLine,
  OwnStatementLines,
} from "@findersfee/contract/portal/payouts";
import type { RowPage } from "@findersfee/contract/row-pages";
import { findOrganizationProfile } from "@findersfee/database/organizations/organizations";
import type { PayoutLineRow } from "@findersfee/database/payouts/list-rows";
import type { OwnAffiliate } from "@findersfee/database/portal/home";
import {
  findOwnPayout,
  listOwnPayoutLines,
  listOwnPayouts as listRows,
  type OwnPayoutRow,
} from "@findersfee/database/portal/payouts";
import type { Connection, Database } from "@findersfee/database/postgres/connect";
import { shownEmail } from "../customers/referrals/shown-email.ts";
import { DomainError, notFound } from "../errors.ts";
import { viewLineAdjustment } from "../ledger/adjustments/view.ts";
import { toMajor } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { shownRevenue } from "./earnings.ts";
import { ownOf } from "./own.ts";

/** The affiliate's payouts, newest first. */
export async function listOwnPayouts(
  database: Database,
  session: AffiliateSession,
  query: ListOwnPayouts,
): Promise<RowPage<OwnPayout>> {
  return await readRowPage(query, {
    read: (range) => listRows(database, { ...ownOf(session), range }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewPayout,
  });
}

/** A payout of the affiliate with the first of its lines. Errors: `not_found`. */
export async function getStatement(
  database: Database,
  session: AffiliateSession,
  { id, limit }: GetStatement,
): Promise<OwnStatement> {
  const own = ownOf(session);
  const row = await requirePayout(database, own, id);
  const [organization, lines] = await Promise.all([
    findOrganizationProfile(database, own.organization_id),
    readLines(database, { own, row, after: null, limit }),
  ]);
  if (organization === null) throw new DomainError("not_an_affiliate");
  const { name, support_email } = organization;
  return {
    ...viewPayout(row),
    time_zone: row.time_zone,
    organization: { name, support_email },
    affiliate: { name: row.affiliate_name, payout_email: row.payout_email },
    ...lines,
  };
}

/** The lines of a payout after one of them. Errors: `not_found`. */
export async function listStatementLines(
  database: Database,
  session: AffiliateSession,
  { id, after, limit }: ListStatementLines,
): Promise<OwnStatementLines> {
  const own = ownOf(session);
  const row = await requirePayout(database, own, id);
  return await readLines(database, { own, row, after, limit });
}

async function requirePayout(sql: Connection, own: OwnAffiliate, id: string) {
  const row = await findOwnPayout(sql, { ...own, id });
  if (row === null) throw notFound("payout");
  return row;
}

async function readLines(
  sql: Connection,
  {
    own,
    row: { id, currency },
    after,
    limit,
  }: { own: OwnAffiliate; row: OwnPayoutRow; after: string | null; limit: number },
): Promise<OwnStatementLines> {
  const rows = await listOwnPayoutLines(sql, { ...own, id, after, limit: limit + 1 });
  const lines = rows.slice(0, limit).map((line) => viewLine(line, currency));
  return { lines, lines_after: rows.length > limit ? (lines.at(-1)?.id ?? null) : null };
}

function viewPayout(row: OwnPayoutRow): OwnPayout {
  const status_at = row.status_at.toISOString();
  return {
    id: row.id,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    period: row.period,
    payment_count: row.payment_count,
    status: row.status,
    status_at,
    paid_at: row.status === "paid" ? status_at : null,
    created_at: row.created_at.toISOString(),
  };
}

function viewLine(line: PayoutLineRow, currency: string): OwnStatementLine {
  return {
    id: line.id,
    referral_date: line.referral_date.toISOString(),
    customer: line.customer_email && shownEmail(line.customer_email, line),
    revenue_amount: line.lead === null ? shownRevenue(line.revenue_minor, { ...line, currency }) : null,
    lead: line.lead,
    amount: toMajor(line.commission_minor, currency),
    reversal_of: line.reversal_of,
    adjustment: viewLineAdjustment(line),
  };
}

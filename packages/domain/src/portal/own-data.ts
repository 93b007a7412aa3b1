import type { RowPage, RowPageQuery } from "@findersfee/contract/row-pages";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findOrganizationProfile } from "@findersfee/database/organizations/organizations";
import { findPortalLanguage } from "@findersfee/database/portal/joining";
import { listPayoutEmailChanges } from "@findersfee/database/portal/payout-email-changes";
import type { Database } from "@findersfee/database/postgres/connect";
import { viewOwnAffiliate } from "../affiliates/view.ts";
import { BYTE_ORDER_MARK, writeLines } from "../csv/write-lines.ts";
import { DomainError } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import type { PortalSession } from "./authenticate.ts";
import { listOwnClaims } from "./claims.ts";
import { listEarnings } from "./earnings.ts";
import { ownOf } from "./own.ts";
import { listOwnPayouts } from "./payouts.ts";
import { listOwnReferrals } from "./referrals.ts";
import { listPortalSessions } from "./sessions.ts";

/** Rows that are read at a time: the file is written while it is read, and never in memory as a whole. */
const PAGE = 1_000;
/** Each row of these sums up commissions. */
const REFERRALS_PAGE = 100;

/**
 * Everything that is stored about an affiliate in a program, as JSON with one row a line. Customers are shown as the
 * affiliate may see them.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function readOwnData(
  database: Database,
  session: AffiliateSession,
  portal_session: PortalSession,
): Promise<AsyncGenerator<string>> {
  const profile = await readProfile(database, session, portal_session);
  const sessions = await listPortalSessions(database, portal_session);
  return write(profile, {
    referrals: pages(REFERRALS_PAGE, (query) => listOwnReferrals(database, session, query)),
    commissions: pages(PAGE, (query) => listEarnings(database, session, query)),
    payouts: pages(PAGE, (query) => listOwnPayouts(database, session, query)),
    missing_sales: pages(PAGE, (query) => listOwnClaims(database, session, query)),
    sessions: [sessions],
  });
}

async function readProfile(
  database: Database,
  session: AffiliateSession,
  { email }: PortalSession,
): Promise<object> {
  const own = ownOf(session);
  const [row, review, organization, language, changes] = await Promise.all([
    findAffiliate(database, own.organization_id, own.affiliate_id),
    findAffiliateReview(database, own.organization_id, own.affiliate_id),
    findOrganizationProfile(database, own.organization_id),
    findPortalLanguage(database, email),
    listPayoutEmailChanges(database, own),
  ]);
  if (row === null || review === null || organization === null) throw new DomainError("not_an_affiliate");
  const { campaign, approved, banned, ...affiliate } = viewOwnAffiliate(row, session.organization.currency);
  return {
    exported_at: new Date(),
    organization: organization.name,
    campaign: campaign.name,
    affiliate: {
      ...affiliate,
      state: session.state,
      ...review,
      language,
      payout_email_changes: changes.map((change) => ({
        email: change.email,
        former_email: change.former_email,
        asked_at: change.created_at,
        confirmed_at: change.used_at,
      })),
    },
  };
}

type Rows = AsyncIterable<readonly object[]> | Iterable<readonly object[]>;

/** An object with the profile's fields, and a list for each part. */
async function* write(profile: object, parts: Record<string, Rows>): AsyncGenerator<string> {
  const fields = Object.entries(profile).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  yield `{\n${fields.join(",\n")}`;
  for (const [name, rows] of Object.entries(parts)) {
    let separator = `,\n${JSON.stringify(name)}: [\n`;
    let is_empty = true;
    for await (const page of rows) {
      if (page.length === 0) continue;
      yield separator + page.map((row) => JSON.stringify(row)).join(",\n");
      separator = ",\n";
      is_empty = false;
    }
    yield is_empty ? `,\n${JSON.stringify(name)}: []` : "\n]";
  }
  yield "\n}\n";
}

async function* pages<Row>(
  limit: number,
  read: (query: RowPageQuery) => Promise<RowPage<Row>>,
): AsyncGenerator<Row[]> {
  let after: string | undefined;
  for (;;) {
    const { data, older } = await read({ limit, after });
    yield data;
    if (older === null) return;
    after = older;
  }
}

const HEADER = [
  "id",
  "date",
  "customer",
  "currency",
  "revenue",
  "commission",
  "status",
  "payable_from",
  "payout_id",
  "payout_month",
  "reverses",
  "reason",
];

/** The affiliate's commissions and adjustments as CSV, newest first. */
export async function* readOwnCommissions(
  database: Database,
  session: AffiliateSession,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield writeLines([HEADER]);
  for await (const page of pages(PAGE, (query) => listEarnings(database, session, query))) {
    yield writeLines(
      page.map((earning) => [
        earning.id,
        earning.referral_date,
        earning.customer ?? "",
        earning.currency,
        earning.revenue_amount === null ? "" : { exact: String(earning.revenue_amount) },
        { exact: String(earning.commission_amount) },
        earning.state,
        earning.payable_at,
        earning.payout?.id ?? "",
        earning.payout?.period ?? "",
        earning.reversal_of ?? earning.adjustment?.commission_id ?? "",
        earning.adjustment?.reason ?? "",
      ]),
    );
  }
}

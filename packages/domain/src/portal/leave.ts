import type { Leaving } from "@findersfee/contract/portal/own-settings";
import { findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview, insertEndMail, setAffiliateLeft } from "@findersfee/database/affiliates/review";
import { hasPortalSessionSince } from "@findersfee/database/portal/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../audit-log/write.ts";
import { eraseAffiliate } from "../erasure/affiliate.ts";
import { DomainError, invalidField } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { inTransaction } from "../transaction.ts";
import { readOwedOnLeaving } from "./owed-on-leaving.ts";
import { ownOf } from "./own.ts";
import { type Acting, ownContext } from "./own-context.ts";

/** As long as staff may take for changes of this weight. */
const RECENT_MINUTES = 15;

/** The affiliate's balances, before it leaves or has its data erased. */
export async function getLeaving(database: Database, session: AffiliateSession): Promise<Leaving> {
  return { owed: await readOwedOnLeaving(database, ownOf(session)) };
}

/**
 * Ends the affiliate's part in a program: nothing is attributed to it from now on. Its balance is still paid.
 * A mail confirms it. Leaving again changes nothing.
 *
 * @throws DomainError `invalid_request` unless the affiliate typed its own address; `affiliate_not_active` if
 * the organization has banned or not approved it
 */
export async function leaveProgram(acting: Acting, session: AffiliateSession, email: string): Promise<void> {
  const context = ownContext(acting, session);
  const { organization, affiliate_id: id } = session;
  await inTransaction(context, async (sql) => {
    const before = await lockAffiliate(sql, organization.id, id);
    if (before === null) throw new DomainError("not_an_affiliate");
    requireOwnEmail(before, email);
    if (before.banned || !before.approved) {
      const review = await findAffiliateReview(sql, organization.id, id);
      if (review !== null && review.left_at !== null) return;
      throw new DomainError("affiliate_not_active");
    }
    const at = new Date();
    await setAffiliateLeft(sql, organization.id, { id, at });
    await insertEndMail(sql, organization.id, { kind: "affiliate_left", id, at });
    await notifyWorkers(sql, "mails", [organization.id]);
    await writeAuditEntry(sql, context, {
      resource: "affiliate",
      id,
      action: "updated",
      before: { banned: false, left: false },
      after: { banned: true, left: true },
    });
  });
}

/**
 * Erases the affiliate's personal data in the program, as the operator's command does. Amounts, commissions and payouts stay. It cannot
 * be undone, so a stolen session alone must not do it: the session must have begun, by a code or link that was mailed to the sign-in
 * address, within the last 15 minutes.
 *
 * @throws DomainError `invalid_request` unless the affiliate typed its own address; `affiliate_owed`; `sign_in_again`
 */
export async function eraseOwnData(acting: Acting, session: AffiliateSession, email: string): Promise<void> {
  const { organization, affiliate_id } = session;
  const row = await findAffiliate(acting.database, organization.id, affiliate_id);
  if (row === null) throw new DomainError("not_an_affiliate");
  requireOwnEmail(row, email);
  const since = new Date(Date.now() - RECENT_MINUTES * 60_000);
  if (!(await hasPortalSessionSince(acting.database, { id: session.session_id, since }))) {
    throw new DomainError("sign_in_again");
  }
  await eraseAffiliate(ownContext(acting, session), affiliate_id);
}

function requireOwnEmail(row: { email: string }, email: string): void {
  if (row.email.toLowerCase() === email) return;
  throw invalidField("email", "Type the address that you signed in with.");
}

import type { AffiliateDetail, ChangedAffiliates } from "@findersfee/contract/affiliates/review";
import { type findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { type AffiliateReviewRow, findAffiliateReview } from "@findersfee/database/affiliates/review";
import { insertApprovedMail } from "@findersfee/database/portal/joining";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { portalLink } from "../host-url.ts";
import { inTransaction } from "../transaction.ts";

/** Between two invitations of a person, who did not ask for any. */
const INVITATION_MILLISECONDS = 24 * 60 * 60_000;

type Invited = NonNullable<Awaited<ReturnType<typeof findAffiliate>>>;

/** Whether the affiliate has a portal and is active, and the person has neither agreed nor said that the invitation is not theirs. */
function isUnanswered({ approved, banned, erased_at }: Invited, review: AffiliateReviewRow): boolean {
  const has_answered = review.agreed_at !== null || review.disowned_at !== null;
  return approved && !banned && erased_at === null && !has_answered && !review.is_test;
}

/** A mail that is due is sent anyway, and one that the mail server rejected reached nobody. */
function canSend(
  { invitation_state, invitation_at, others_invited_at }: AffiliateReviewRow,
  now: Date,
): boolean {
  if (invitation_state === "due") return false;
  const last = invitation_state === "sent" ? invitation_at : null;
  // A person with several campaigns gets one mail, too.
  return [last, others_invited_at].every(
    (at) => at === null || now.getTime() - at.getTime() >= INVITATION_MILLISECONDS,
  );
}

/**
 * Mails an invitation to an active affiliate who has not answered, in the transaction of a change; the caller notifies the workers.
 * False: there is none to mail, or the address has had one within a day. Errors: `not_found`.
 */
export async function inviteAffiliate(
  sql: Transaction,
  context: Pick<Context, "organization" | "actor">,
  id: string,
): Promise<boolean> {
  const { organization } = context;
  const affiliate = await lockAffiliate(sql, organization.id, id);
  const review = await findAffiliateReview(sql, organization.id, id);
  if (affiliate === null || review === null) throw notFound("affiliate");
  if (!isUnanswered(affiliate, review) || !canSend(review, new Date())) return false;
  await insertApprovedMail(sql, organization.id, id);
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { invitation: "open" },
    after: { invitation: "mailed" },
  });
  return true;
}

/**
 * Mails an invitation to active affiliates who have not answered, unless their address had one within a day.
 * Other affiliates stay unchanged. Errors: `not_found`, if one of them is unknown.
 */
export async function inviteAffiliates(
  context: Context,
  { ids }: { ids: string[] },
): Promise<ChangedAffiliates> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    // In lower case, as the audit log finds them.
    for (const id of [...new Set(ids.map((given) => given.toLowerCase()))].sort()) {
      if (await inviteAffiliate(sql, context, id)) changed += 1;
    }
    if (changed > 0) await notifyWorkers(sql, "mails", [organization.id]);
    return { changed };
  });
}

const MAIL_STATES = { due: "due", sent: "sent", given_up: "failed" } as const;

/** The invitation of an affiliate, as staff see it; null: none is open. */
export function viewInvitation(
  affiliate: Invited,
  review: AffiliateReviewRow,
  service_url: string | null,
): AffiliateDetail["invitation"] {
  if (!isUnanswered(affiliate, review)) return null;
  const { invitation_state: state, invitation_at: at, portal_host } = review;
  const place = { public_url: service_url, portal_host, affiliate_id: affiliate.id };
  return {
    mail: state === null || at === null ? null : { state: MAIL_STATES[state], at: at.toISOString() },
    url: portalLink(place),
    can_send: canSend(review, new Date()),
  };
}

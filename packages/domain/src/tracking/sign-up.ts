import type { TrackSignup } from "@findersfee/contract/tracking/tracking";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { Connection } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { findPageSignUps } from "@findersfee/database/tracking/page-sign-ups";
import type { Actor } from "../actor.ts";
import { expiryOf, findClick } from "../attribution/facts/clicks.ts";
import { isSameAddress } from "../attribution/facts/emails.ts";
import type { SignUpFact } from "../attribution/facts/payment-fact.ts";
import { recordFacts } from "../attribution/record-facts.ts";
import type { OrganizationContext } from "../context.ts";
import { inTransaction } from "../transaction.ts";
import type { Tracking } from "./tracking.ts";

/** One of the organization's pages, identified by its publishable key. */
const SIGN_UP: Actor = { kind: "automatic", name: "sign-up" };

/** Sign-ups per click. One click brings one person, who may mistype an email; more are made-up customers. */
const SIGN_UPS_PER_CLICK = 3;

/**
 * Records a sign-up that a page reported after a click. Anyone can report one with a publishable key, so it is the
 * weakest evidence: it creates a referral only if the email belongs to no customer and no referral, and a click or
 * promo code at the checkout moves that referral to its own affiliate.
 *
 * Does nothing when the click no longer counts or has reached its sign-ups, when the affiliate is banned or not
 * approved, and for a self-referral. The caller cannot distinguish these cases.
 */
export async function signUp(
  { database, notifyWorkers }: Tracking,
  organization: OrganizationContext,
  { click_id, email }: Pick<TrackSignup, "click_id" | "email">,
): Promise<void> {
  const found = await findReferrer(database, organization.id, click_id);
  if (found === null || isSameAddress(found.affiliate.email, email)) return;
  const { click } = found;
  if ((await freeSubject(database, organization.id, { click, email })) === null) return;
  await inTransaction(
    { database, organization, actor: SIGN_UP, idempotency: null, notifyWorkers },
    async (sql) => {
      await lockPayments(sql, organization.id);
      // Looked up again: another request may have taken it during the wait for the lock.
      const subject = await freeSubject(sql, organization.id, { click, email });
      if (subject === null) return;
      const fact = signUpFact({ subject, email, click_id: click.id });
      await recordFacts(sql, organization, [{ processor: "tracking", message_id: click.id, fact }]);
    },
  );
}

/** The click and its affiliate; null when the click does not count, or the affiliate may not refer. */
export async function findReferrer(
  sql: Connection,
  organizationId: string,
  click_id: string,
): Promise<{ click: ClickRow; affiliate: AffiliateRow } | null> {
  const click = await findClick(sql, organizationId, click_id);
  if (click === null) return null;
  const affiliate = await findAffiliate(sql, organizationId, click.affiliate_id);
  if (affiliate === null || !affiliate.approved || affiliate.banned) return null;
  return expiryOf(click, affiliate.campaign.cookie_duration) <= new Date() ? null : { click, affiliate };
}

/** The subject of a new sign-up; null: the click already has this email, or its maximum of sign-ups. */
async function freeSubject(
  sql: Connection,
  organizationId: string,
  { click, email }: { click: ClickRow; email: string },
): Promise<string | null> {
  const subjects = subjectsOf(click.id);
  const taken = await findPageSignUps(sql, organizationId, subjects);
  const emails = [...taken.values()].map(lowerCase);
  if (emails.includes(lowerCase(email))) return null;
  return subjects.find((subject) => !taken.has(subject)) ?? null;
}

function subjectsOf(click_id: string): string[] {
  return Array.from({ length: SIGN_UPS_PER_CLICK }, (_, index) => `${click_id}:${index + 1}`);
}

/** The facts of a page's sign-ups after a click, as referrals name them. */
export function signUpReferences(click_id: string): string[] {
  return subjectsOf(click_id.toLowerCase()).map((subject) => `tracking:signup:${subject}`);
}

function signUpFact({
  subject,
  email,
  click_id,
}: {
  subject: string;
  email: string;
  click_id: string;
}): SignUpFact {
  return {
    kind: "signup",
    subject,
    at: new Date(),
    rank: 0,
    references: [],
    belongs_to: [],
    customer_id: null,
    email,
    promo_codes: [],
    click_ids: [click_id],
  };
}

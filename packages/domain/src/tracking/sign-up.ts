import type { TrackSignup } from "@findersfee/contract/tracking";
import { findAffiliate } from "@findersfee/database/affiliates";
import type { Connection } from "@findersfee/database/connect";
import { violatedUnique } from "@findersfee/database/errors";
import { findReferralByCustomer, findReferralByEmail, insertReferral } from "@findersfee/database/referrals";
import type { AffiliateRow } from "@findersfee/database/rows";
import { isSameAddress } from "../attribution/self-referral.ts";
import { change } from "../change.ts";
import type { OrganizationContext } from "../context.ts";
import { freezeEvent, recordEvent } from "../events/record.ts";
import { newId } from "../ids.ts";
import { withKnownCustomers } from "../payments/known-customers.ts";
import { viewReferralEvent } from "../referrals/view.ts";
import { expiryOf, findClick } from "./find-click.ts";
import type { Tracking } from "./tracking.ts";

/** A page of the organization's, by its publishable key. */
const ACTOR = "sign-up";

/**
 * Makes the referral of somebody who signed up after a click, and records `referral.created`; does nothing
 * when there is one with that email or customer, when the click counts no longer, when its affiliate is
 * banned or not approved, and when it is the affiliate itself. The caller cannot tell which of these it was.
 */
export async function signUp(
  { database, wake }: Tracking,
  organization: OrganizationContext,
  { click_id, email, processor_customer_id }: Omit<TrackSignup, "key">,
): Promise<void> {
  const click = await findClick(database, organization.id, click_id);
  if (click === null) return;
  const affiliate = await findAffiliate(database, organization.id, click.affiliate_id);
  if (affiliate === null || !affiliate.approved || affiliate.banned) return;
  if (expiryOf(click, affiliate.campaign.cookie_duration) <= new Date()) return;
  if (isSameAddress(affiliate.email, email)) return;
  const person = { email, processor_customer_id: processor_customer_id ?? null };
  if (await isKnown(database, organization.id, person)) return;
  try {
    await change({ database, organization, actor: ACTOR, idempotency: null, wake }, (sql) =>
      withKnownCustomers(sql, organization, {
        ...person,
        cause: ACTOR,
        makeReferral: () => addReferral(sql, organization.id, { ...person, affiliate }),
      }),
    );
  } catch (error) {
    // Somebody else was faster with the same email or customer.
    if (!violatedUnique(error)?.startsWith("referrals_")) throw error;
  }
}

interface Person {
  email: string;
  processor_customer_id: string | null;
}

async function isKnown(
  sql: Connection,
  organizationId: string,
  { email, processor_customer_id }: Person,
): Promise<boolean> {
  if ((await findReferralByEmail(sql, organizationId, email)) !== null) return true;
  if (processor_customer_id === null) return false;
  return (await findReferralByCustomer(sql, organizationId, processor_customer_id)) !== null;
}

async function addReferral(
  sql: Connection,
  organizationId: string,
  { affiliate, ...person }: Person & { affiliate: AffiliateRow },
): Promise<void> {
  const created_at = new Date();
  const referral = {
    id: newId(created_at),
    ...person,
    subscription_status: "signed_up" as const,
    signup_date: created_at,
    converted_at: null,
    created_at,
  };
  await insertReferral(sql, organizationId, { ...referral, affiliate_id: affiliate.id });
  const event = freezeEvent("referral.created", viewReferralEvent({ ...referral, affiliate }), created_at);
  await recordEvent(sql, organizationId, event);
}

import type { TrackSignup } from "@findersfee/contract/tracking/tracking";
import { insertReferral } from "@findersfee/database/customers/referrals";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { isConfirmedReferral, replacePageSignUps } from "@findersfee/database/tracking/page-sign-ups";
import { type Actor, actorText } from "../actor.ts";
import { sourceOf } from "../attribution/facts/clicks.ts";
import { isSameAddress } from "../attribution/facts/emails.ts";
import { createAndReattribute } from "../attribution/reattribute-customers.ts";
import type { OrganizationContext } from "../context.ts";
import { newId } from "../ids.ts";
import { inTransaction } from "../transaction.ts";
import { serializeEvent, viewReferralEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { findReferrer } from "./sign-up.ts";
import type { Tracking } from "./tracking.ts";

/**
 * Creates the referral of a sign-up that the organization's backend confirms with a signature or a secret key, and
 * records `referral.created`. It counts like a referral by API, and replaces one that a page's sign-up created.
 *
 * Does nothing when a referral with that email or customer exists, when the click no longer counts, when its affiliate
 * is banned or not approved, and for a self-referral.
 */
export async function refer(
  { database, notifyWorkers }: Pick<Tracking, "database" | "notifyWorkers">,
  organization: OrganizationContext,
  { click_id, email, processor_customer_id, actor }: Omit<TrackSignup, "key"> & { actor: Actor },
): Promise<void> {
  const found = await findReferrer(database, organization.id, click_id);
  if (found === null || isSameAddress(found.affiliate.email, email)) return;
  const { affiliate, click } = found;
  const person = { email, processor_customer_id: processor_customer_id ?? null };
  if (await isConfirmedReferral(database, organization.id, person)) return;
  try {
    await inTransaction({ database, organization, actor, idempotency: null, notifyWorkers }, (sql) =>
      createAndReattribute(sql, organization, {
        ...person,
        affiliate,
        cause: actorText(actor),
        makeReferral: async () => {
          await replacePageSignUps(sql, organization.id, person);
          const created_at = new Date();
          const referral = {
            id: newId(created_at),
            ...person,
            subscription_status: "signed_up" as const,
            signup_date: created_at,
            converted_at: null,
            created_at,
          };
          await insertReferral(sql, organization.id, {
            ...referral,
            affiliate_id: affiliate.id,
            ...sourceOf(click),
          });
          const data = viewReferralEvent({ ...referral, affiliate });
          await recordEvent(sql, organization.id, serializeEvent("referral.created", data, created_at));
          return referral;
        },
      }),
    );
  } catch (error) {
    // A concurrent request with the same email or customer came first.
    if (!violatedUnique(error)?.startsWith("referrals_")) throw error;
  }
}

import { findReferralByCustomer, findReferralByEmail } from "@findersfee/database/customers/referrals";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";

/** Maps a failed write of a referral to `referral_exists` with the other's id, or the error itself. */
export async function explainConflict(
  { database, organization }: Context,
  error: unknown,
  written: { email?: string | undefined; processor_customer_id?: string | null | undefined },
): Promise<unknown> {
  const unique = violatedUnique(error);
  let referral_id: string | null = null;
  if (unique === "referrals_email" && written.email !== undefined) {
    referral_id = await findReferralByEmail(database, organization.id, written.email);
  } else if (unique === "referrals_processor_customer_id" && written.processor_customer_id) {
    referral_id = await findReferralByCustomer(database, organization.id, written.processor_customer_id);
  } else {
    return error;
  }
  return new DomainError("referral_exists", referral_id === null ? {} : { details: { referral_id } });
}

import {
  type Referral,
  type UpdateReferral,
  updateReferralInput,
} from "@findersfee/contract/customers/referrals";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import {
  findReferral,
  lockReferral,
  markManualFields,
  updateReferral as updateRow,
} from "@findersfee/database/customers/referrals";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { requireNoIssues, requireReferral } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { explainConflict } from "./conflicts.ts";
import { referralFields, viewReferral } from "./view.ts";

/**
 * Changes the given fields; any subscription status may follow any other. A field with its current value counts as
 * omitted, so processor events may still change it later.
 *
 * Errors: `not_found`, `referral_exists`.
 */
export async function updateReferral(context: Context, input: UpdateReferral): Promise<Referral> {
  const { organization } = context;
  try {
    return await inTransaction(context, async (sql) => {
      const before = requireReferral(await lockReferral(sql, organization.id, input.id));
      requireValid(before, input, organization.currency);
      const values = {
        email: input.email ?? before.email,
        subscription_status: input.subscription_status ?? before.subscription_status,
        processor_customer_id:
          input.processor_customer_id === undefined
            ? before.processor_customer_id
            : input.processor_customer_id,
      };
      await updateRow(sql, organization.id, { id: before.id, values });
      await markManualFields(sql, organization.id, {
        id: before.id,
        email: values.email !== before.email,
        customer_id: values.processor_customer_id !== before.processor_customer_id,
      });
      await writeAuditEntry(sql, context, {
        resource: "referral",
        id: before.id,
        action: "updated",
        before: referralFields(before, before.affiliate.id),
        after: referralFields(values, before.affiliate.id),
      });
      return viewReferral({ ...before, ...values }, organization.currency);
    });
  } catch (error) {
    throw await explainConflict(context, error, input);
  }
}

/**
 * Throws the `invalid_request` that `updateReferral` would throw for this input, and changes nothing. A referral
 * that does not exist has no issues.
 */
export async function checkReferralUpdate(
  { database, organization }: Context,
  input: UpdateReferral,
): Promise<void> {
  const row = await findReferral(database, organization.id, input.id);
  if (row !== null) requireValid(row, input, organization.currency);
}

function requireValid(before: ReferralWithAffiliateRow, input: UpdateReferral, currency: string): void {
  requireNoIssues(readOnlyIssues(updateReferralInput, input, viewReferral(before, currency)));
}

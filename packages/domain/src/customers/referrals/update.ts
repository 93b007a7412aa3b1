import {
  type Referral,
  type UpdateReferral,
  updateReferralInput,
} from "@findersfee/contract/customers/referrals";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import { findCustomersReferrals } from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import {
  findReferral,
  lockReferral,
  markManualFields,
  updateReferral as updateRow,
} from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { actorText } from "../../actor.ts";
import { customerKey, emailKey } from "../../attribution/facts/fact-names.ts";
import { uniteCustomers } from "../../attribution/reattribute-customers.ts";
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
      const customers = await lockCustomers(sql, context, input);
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
      const changed = {
        email: values.email !== before.email,
        customer_id: values.processor_customer_id !== before.processor_customer_id,
      };
      await markManualFields(sql, organization.id, { id: before.id, ...changed });
      if (customers.length > 0 && (changed.email || changed.customer_id)) {
        await uniteCustomers(sql, organization, { customers, cause: actorText(context.actor) });
      }
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
 * The customers that processors know by the former and new names of a referral. They become one customer.
 * Locked before the referral, in the same order as the workers.
 */
async function lockCustomers(
  sql: Transaction,
  { organization }: Context,
  { id, email, processor_customer_id }: UpdateReferral,
): Promise<string[]> {
  if (email === undefined && processor_customer_id === undefined) return [];
  const by = { emails: [], customer_ids: [], attributed_by: [], ids: [id], lock: false };
  const [row] = await findCustomersReferrals(sql, organization.id, by);
  if (row === undefined) return [];
  const names = [emailKey(email ?? row.email)];
  const customer_id = processor_customer_id === undefined ? row.processor_customer_id : processor_customer_id;
  if (customer_id !== null) names.push(customerKey(customer_id));
  // The customer of the checkout or payment that created it.
  if (row.attributed_by !== null) {
    names.push(emailKey(row.email));
    if (row.processor_customer_id !== null) names.push(customerKey(row.processor_customer_id));
  }
  // A report that workers are processing counts here, or finds the new names.
  await lockPayments(sql, organization.id);
  return [...new Set((await findCustomerKeys(sql, organization.id, names)).values())];
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

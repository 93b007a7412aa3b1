import type { Referral, UpdateReferral } from "@findersfee/contract/referrals";
import { lockReferral, noteSetByHand, updateReferral as updateRow } from "@findersfee/database/referrals";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { explainConflict } from "./conflicts.ts";
import { standingReferral } from "./standing.ts";
import { viewReferral } from "./view.ts";

/**
 * Changes what the input says and leaves the rest; any subscription status may follow any other.
 * Errors: `not_found`, `referral_exists`.
 */
export async function updateReferral(context: Context, input: UpdateReferral): Promise<Referral> {
  const { organization } = context;
  try {
    return await change(context, async (sql) => {
      const before = standingReferral(await lockReferral(sql, organization.id, input.id));
      const values = {
        email: input.email ?? before.email,
        subscription_status: input.subscription_status ?? before.subscription_status,
        processor_customer_id:
          input.processor_customer_id === undefined
            ? before.processor_customer_id
            : input.processor_customer_id,
      };
      await updateRow(sql, organization.id, { id: before.id, values });
      await noteSetByHand(sql, organization.id, {
        id: before.id,
        email: input.email !== undefined,
        customer_id: input.processor_customer_id !== undefined,
      });
      return viewReferral({ ...before, ...values }, organization.currency);
    });
  } catch (error) {
    throw await explainConflict(context, error, input);
  }
}

import type { Settings, UpdateSettings } from "@findersfee/contract/settings";
import { hasFixedAmounts, lockSettings, updateSettings as updateRow } from "@findersfee/database/settings";
import { change } from "../change.ts";
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { invalidField } from "../errors.ts";
import { toMajor, toMinor } from "../money.ts";
import { viewSettings } from "./get.ts";

/**
 * Changes what the input says, for what comes from now on: commissions keep their hold, runs their minimum, and
 * what was earned its currency.
 *
 * Errors: `invalid_request`, also for another currency while campaigns have fixed amounts, which would become
 * amounts of that one.
 */
export async function updateSettings(context: Context, input: UpdateSettings): Promise<Settings> {
  const organization_id = context.organization.id;
  return await change(context, async (sql) => {
    const before = await lockSettings(sql, organization_id);
    const currency = input.currency ?? before.currency;
    if (currency !== before.currency && (await hasFixedAmounts(sql, organization_id))) {
      throw invalidField(
        "currency",
        `Campaigns have fixed amounts in ${before.currency}; make them percentages first.`,
      );
    }
    const minimum = input.minimum_payout ?? toMajor(before.minimum_payout_minor, before.currency);
    const minimum_payout_minor = toMinor(minimum, currency);
    if (minimum_payout_minor === null) {
      throw invalidField("minimum_payout", `Has more decimals than ${currency}.`);
    }
    const settings = {
      currency,
      hold_days: input.hold_days ?? before.hold_days,
      minimum_payout_minor,
      payout_day: input.payout_day === undefined ? before.payout_day : input.payout_day,
    };
    await updateRow(sql, organization_id, settings);
    await recordChange(sql, context, {
      resource: "settings",
      id: organization_id,
      action: "updated",
      before: viewSettings(before),
      after: viewSettings(settings),
      currency,
    });
    return viewSettings(settings);
  });
}

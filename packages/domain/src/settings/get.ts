import type { Settings } from "@findersfee/contract/settings";
import { findSettings, type SettingsRow } from "@findersfee/database/settings";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

/** How the organization pays. */
export async function getSettings({ database, organization }: Context): Promise<Settings> {
  return viewSettings(await findSettings(database, organization.id));
}

export function viewSettings({
  currency,
  hold_days,
  minimum_payout_minor,
  payout_day,
}: SettingsRow): Settings {
  return { currency, hold_days, minimum_payout: toMajor(minimum_payout_minor, currency), payout_day };
}

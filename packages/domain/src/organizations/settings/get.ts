import type { OrganizationSettings } from "@findersfee/contract/organizations";
import { findSettings, type SettingsRow } from "@findersfee/database/organizations/settings";
import type { Context } from "../../context.ts";
import { viewMinimums } from "../../payouts/runs/minimum.ts";

/** The organization's settings for payouts and tracking. */
export async function getSettings({ database, organization }: Context): Promise<OrganizationSettings> {
  return viewSettings(await findSettings(database, organization.id));
}

export function viewSettings({ minimum_payouts, ...settings }: SettingsRow): OrganizationSettings {
  return { ...settings, minimum_payouts: viewMinimums(minimum_payouts) };
}

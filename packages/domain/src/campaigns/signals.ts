import { signalNames } from "@findersfee/contract/attribution/signals";
import { type CampaignSignals, NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import type { SignalSettingsRow } from "@findersfee/database/rows";

/** The settings of signals in their stored form; null: all are off, and no host is listed. */
export function signalsToStored(settings: CampaignSignals): SignalSettingsRow | null {
  const actions: SignalSettingsRow["actions"] = {};
  for (const signal of signalNames) {
    const setting = settings[signal];
    if (setting !== "off") actions[signal] = setting;
  }
  const referrers = [...new Set(settings.referrers)];
  return Object.keys(actions).length + referrers.length === 0 ? null : { actions, referrers };
}

/** The same as the API shows them. */
export function viewSignals(stored: SignalSettingsRow | null): CampaignSignals {
  return stored === null
    ? { ...NO_SIGNALS, referrers: [] }
    : { ...NO_SIGNALS, ...stored.actions, referrers: [...stored.referrers] };
}

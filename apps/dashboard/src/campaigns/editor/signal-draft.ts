import type { CampaignSignals } from "@findersfee/contract/campaigns/signals";

/** A campaign's actions for signs of fraud. The hosts are one on each line. */
export type SignalsDraft = Omit<CampaignSignals, "referrers"> & { referrers: string };

export const NO_SIGNALS: SignalsDraft = {
  shared_domain: "off",
  disposable_email: "off",
  shared_payout_email: "off",
  paid_search: "off",
  listed_referrer: "off",
  shared_network: "off",
  shared_card: "off",
  many_clicks: "off",
  many_signups: "off",
  many_refunds: "off",
  referrers: "",
};

/** Campaigns that a tab has stored from before there were signals, or some of them, have none of these. */
export function signalDraftOf(signals: CampaignSignals | undefined): SignalsDraft {
  return signals === undefined
    ? NO_SIGNALS
    : { ...NO_SIGNALS, ...signals, referrers: signals.referrers.join("\n") };
}

export function signalsOf(signals: SignalsDraft = NO_SIGNALS): CampaignSignals {
  return { ...signals, referrers: signals.referrers.split(/\s+/).filter((host) => host !== "") };
}

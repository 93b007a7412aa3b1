import { formatCount } from "@findersfee/ui/formats/counts";

const people = (count: number) => (count === 1 ? "1 affiliate" : `${formatCount(count)} affiliates`);

/** The rates of affiliates. */
export const texts = {
  title: "Rate",
  set: "Set own rate",
  set_title: "Set own rate",
  set_title_of: (count: number) => `Set own rate of ${people(count)}`,
  confirm: "Set rate",
  done: (count: number) => `Rate set for ${people(count)}`,
  hint: "Replaces the campaign’s rates for payments from then on. The campaign’s limit still applies.",
  more: "More conditions",
  starts_at: "From",
  now: (zone: string) => `Empty: from now on. Your time zone: ${zone}.`,
  note: "Note",
  note_hint: "For your team. The affiliate does not see it.",
  own: "Own rate",
  own_since: "Own rate since",
  instead: "Instead of the campaign’s:",
  otherwise: "Otherwise the campaign’s:",
  of_campaign: "From the campaign",
  use_campaign: "Use the campaign’s rate",
  campaign_used: "The campaign’s rate applies from now on",
  periods: "Changes",
  from: "From",
  planned: "planned",
  current: "now",
  back: "The campaign’s rate",
  remove: "Remove",
  remove_of: (rate: string) => `Remove: ${rate}`,
  remove_title: "Remove this change of the rate?",
  remove_hint: "The rate before it lasts on. Commissions that were already decided stay as they are.",
  removed: "Removed",
  failed: "The rate could not be loaded.",
};

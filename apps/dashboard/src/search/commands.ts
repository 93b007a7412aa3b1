import type { Found, SearchKind, SearchResult } from "@findersfee/contract/search/find";
import { formatMoney } from "@findersfee/ui/formats/money";
import { texts as affiliate_texts } from "../affiliates/texts.ts";
import { labels as outcome_words } from "../attribution/outcome-texts.ts";
import { state_words } from "../commissions/state-words.ts";
import { texts as referral_texts } from "../customers/referrals/texts.ts";
import { monthOf } from "../payouts/month.ts";
import { status_words } from "../payouts/status-words.ts";

/** A record in the palette, with its address below the organization's. */
export interface FoundCommand {
  group: string;
  label: string;
  detail: string | undefined;
  end: string;
  path: string;
}

const GROUPS: Record<SearchKind, string> = {
  affiliates: "Affiliates",
  customers: "Customers",
  payments: "Payments",
  commissions: "Commissions",
  payouts: "Payouts",
  endpoints: "Endpoints",
};

/** The words for the states of each kind. */
const WORDS: Record<SearchKind, Record<string, string>> = {
  affiliates: affiliate_texts.states,
  customers: referral_texts.statuses,
  payments: outcome_words,
  commissions: state_words,
  payouts: status_words,
  endpoints: { enabled: "Enabled", disabled: "Disabled" },
};

export function commandsOf({ groups }: Found): FoundCommand[] {
  return groups.flatMap(({ kind, results }) => results.map((result) => commandOf(kind, result)));
}

function commandOf(kind: SearchKind, { title, detail, amount, state, path }: SearchResult): FoundCommand {
  const word = WORDS[kind][state] ?? state;
  return {
    group: GROUPS[kind],
    label: title,
    detail: (kind === "payouts" && detail !== null ? monthOf(detail) : detail) ?? undefined,
    end: amount === null ? word : `${formatMoney(amount.amount, amount.currency)} · ${word}`,
    path,
  };
}

import type { RuleWords } from "@findersfee/ui/formats/rule-sentence";
import { rule_words } from "@findersfee/ui/formats/rule-words";

/** The texts for an affiliate's earnings by rules. */
export const rules = {
  words: {
    ...rule_words,
    tiers: (names, count) =>
      names === null ? rule_words.tiers(names, count) : `in the ${count === 1 ? "tier" : "tiers"} ${names}`,
  } satisfies RuleWords as RuleWords,
  title: "Your rate",
  own: "Agreed with you:",
  otherwise: "For everything else:",
  limit: (type: "months" | "payments", count: number) => {
    const what = type === "months" ? "month" : "payment";
    return `Only ${count === 1 ? `the first ${what}` : `the first ${count} ${what}s`} of each customer count.`;
  },
  first_match: "The first line that fits a payment decides.",
};

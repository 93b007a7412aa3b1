import type { AffiliateRules } from "@findersfee/contract/affiliates/rules";
import type { CommissionRule } from "@findersfee/contract/campaigns/rules";
import { BROWSER_CLOCK } from "@findersfee/ui/formats/clock";
import { formatDateTime } from "@findersfee/ui/formats/dates";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import { rule_words } from "@findersfee/ui/formats/rule-words";
import { texts } from "./texts.ts";

/** Rules in a change: those of a campaign, or an affiliate's own, a line for each. Null: the field has none. */
export function ruleLines(
  { resource, name }: { resource: string; name: string },
  value: unknown,
): string[] | null {
  if (resource === "campaign" && name === "rules") return (value as CommissionRule[]).map(lineOf);
  if (resource !== "affiliate" || name !== "commission_rules") return null;
  return (value as AffiliateRules["periods"]).flatMap(({ starts_at, note, rules }) => {
    const start = texts.rules_from(formatDateTime(new Date(starts_at), BROWSER_CLOCK), note);
    return [start, ...(rules.length === 0 ? [texts.rules_of_campaign] : rules.map(lineOf))];
  });
}

function lineOf(rule: CommissionRule): string {
  const sentence = ruleSentence(rule, rule_words);
  return rule.name === null ? sentence : `${rule.name}: ${sentence}`;
}

import type { PortalRule } from "@findersfee/contract/portal/rules";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import type { ReactNode } from "react";
import { useTexts, WithTexts } from "../../language/language.tsx";
import { leadsSentence, type Offered, termsSentence } from "./terms.ts";

export interface RatesProps {
  /** The affiliate's. */
  own_rules?: readonly PortalRule[];
  campaign: Offered & { rules: readonly PortalRule[] };
  /** ISO 4217: fixed amounts of the campaign are in it. */
  currency: string;
  /** Tiers with names that the reader may see. */
  tiers?: readonly { id: string; name: string }[] | undefined;
}

/** What payments and leads earn: by the affiliate's own rules, then by those of the campaign, then by the campaign's terms. */
export function Rates({ own_rules = [], campaign, currency, tiers }: RatesProps) {
  const { rules, components, terms } = useTexts();
  const words = { currency, locale: components.locale, terms };
  // Rules after a rule for all payments decide none.
  const of_campaign = own_rules.some(takesAll) ? [] : campaign.rules;
  const all = [...own_rules, ...of_campaign];
  const leads = leadsSentence(campaign.lead_commissions, words);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {own_rules.length > 0 && (
        <div>
          <p className="text-table text-muted">{rules.own}</p>
          <Rules rules={own_rules} tiers={tiers} />
        </div>
      )}
      {of_campaign.length > 0 && <Rules rules={of_campaign} tiers={tiers} />}
      {all.some(takesAll) ? (
        <Limit campaign={campaign} />
      ) : (
        <div>
          {all.length > 0 && <p className="text-table text-muted">{rules.otherwise}</p>}
          <p>{termsSentence(campaign, words)}</p>
        </div>
      )}
      {leads !== null && <p className="wrap-anywhere">{leads}</p>}
      {all.length > 1 && <p className="text-table text-muted">{rules.first_match}</p>}
    </div>
  );
}

const TEXTS = ["rules"] as const;

/** The same on a page that does not have their texts. */
export function PublicRates({ fallback, ...props }: RatesProps & { fallback: ReactNode }) {
  return (
    <WithTexts subjects={TEXTS} fallback={fallback}>
      <div className="mt-4">
        <Rates {...props} />
      </div>
    </WithTexts>
  );
}

function takesAll({ conditions, of_some_products, has_more_conditions }: PortalRule): boolean {
  return Object.keys(conditions).length === 0 && !of_some_products && !has_more_conditions;
}

/** It comes before all rules. */
function Limit({ campaign: { limit_type, limit_amount } }: Pick<RatesProps, "campaign">) {
  const { rules } = useTexts();
  if (limit_type === "none" || limit_amount === null) return null;
  return <p className="text-table text-muted">{rules.limit(limit_type, limit_amount)}</p>;
}

function Rules({ rules, tiers }: { rules: readonly PortalRule[] } & Pick<RatesProps, "tiers">) {
  const { rules: texts } = useTexts();
  return (
    <ol className="grid gap-1">
      {rules.map(({ conditions, of_some_products, has_more_conditions, reward }, index) => (
        // Rules have no other name here, and the list does not change.
        <li key={index} className="wrap-anywhere">
          {ruleSentence(
            {
              conditions: {
                ...conditions,
                ...(of_some_products && { products: [] }),
                ...(has_more_conditions && { metadata: { values: [] } }),
              },
              reward,
            },
            texts.words,
            tiers,
          )}
        </li>
      ))}
    </ol>
  );
}

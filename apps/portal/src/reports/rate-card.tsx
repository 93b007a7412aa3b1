import type { PortalRule } from "@findersfee/contract/portal/rules";
import { Card } from "@findersfee/ui/components/card";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import { useQuery } from "@tanstack/react-query";
import { leadsSentence, termsSentence } from "../affiliates/join/terms.ts";
import { useTexts } from "../language/language.tsx";
import type { Outputs } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";
import { tiersQuery } from "./queries.ts";

type Program = Outputs["program"]["get"];

/**
 * The affiliate's earnings: by its own rules, then by those of the campaign, then by the campaign's terms.
 */
export function RateCard({ program }: { program: Program }) {
  const { rules } = useTexts();
  const { campaign, own_rules } = program;
  // Rules after a rule for all payments decide none.
  const of_campaign = own_rules.some(takesAll) ? [] : campaign.rules;
  const all = [...own_rules, ...of_campaign];
  return (
    <Card title={rules.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {own_rules.length > 0 && (
          <div>
            <p className="text-table text-muted">{rules.own}</p>
            <Rules rules={own_rules} />
          </div>
        )}
        {of_campaign.length > 0 && <Rules rules={of_campaign} />}
        {all.some(takesAll) ? (
          <Limit campaign={campaign} />
        ) : (
          <div>
            {all.length > 0 && <p className="text-table text-muted">{rules.otherwise}</p>}
            <Terms program={program} />
          </div>
        )}
        <Leads program={program} />
        {all.length > 1 && <p className="text-table text-muted">{rules.first_match}</p>}
      </div>
    </Card>
  );
}

function takesAll({ conditions, of_some_products, has_more_conditions }: PortalRule): boolean {
  return Object.keys(conditions).length === 0 && !of_some_products && !has_more_conditions;
}

function Terms({ program: { campaign, organization } }: { program: Program }) {
  const { components, terms } = useTexts();
  const { currency } = organization;
  return <p>{termsSentence(campaign, { currency, locale: components.locale, terms })}</p>;
}

/** Beside the rate of payments. */
function Leads({ program: { campaign, organization } }: { program: Program }) {
  const { components, terms } = useTexts();
  const words = { currency: organization.currency, locale: components.locale, terms };
  const sentence = leadsSentence(campaign.lead_commissions, words);
  return sentence === null ? null : <p className="wrap-anywhere">{sentence}</p>;
}

/** It comes before all rules. */
function Limit({ campaign: { limit_type, limit_amount } }: Pick<Program, "campaign">) {
  const { rules } = useTexts();
  if (limit_type === "none" || limit_amount === null) return null;
  return <p className="text-table text-muted">{rules.limit(limit_type, limit_amount)}</p>;
}

function Rules({ rules }: { rules: readonly PortalRule[] }) {
  const { rules: texts } = useTexts();
  const { program, api } = useSession();
  const { data: tiers } = useQuery({
    ...tiersQuery(api, program.affiliate_id),
    enabled: rules.some(({ conditions }) => conditions.tiers !== undefined),
  });
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
            tiers?.progress?.steps,
          )}
        </li>
      ))}
    </ol>
  );
}

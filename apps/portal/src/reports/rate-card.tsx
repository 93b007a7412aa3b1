import { Card } from "@findersfee/ui/components/card";
import { useQuery } from "@tanstack/react-query";
import { Rates } from "../affiliates/join/rates.tsx";
import { useTexts } from "../language/language.tsx";
import type { Outputs } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";
import { tiersQuery } from "./queries.ts";

/** The affiliate's earnings. */
export function RateCard({ program }: { program: Outputs["program"]["get"] }) {
  const { rules } = useTexts();
  const { program: own, api } = useSession();
  const { campaign, own_rules, organization } = program;
  const { data: tiers } = useQuery({
    ...tiersQuery(api, own.affiliate_id),
    enabled: [...own_rules, ...campaign.rules].some(({ conditions }) => conditions.tiers !== undefined),
  });
  return (
    <Card title={rules.title}>
      <Rates
        own_rules={own_rules}
        campaign={campaign}
        currency={organization.currency}
        tiers={tiers?.progress?.steps}
      />
    </Card>
  );
}

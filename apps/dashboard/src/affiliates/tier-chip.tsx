import { useQuery } from "@tanstack/react-query";
import { campaignsQuery } from "../campaigns/queries.ts";
import { ChoiceChip } from "../lists/choice-chip.tsx";
import type { ListAddress } from "../lists/use-list-address.ts";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

/** The filter by tier, for an organization with tiers. */
export function TierChip<Name extends string>({ address }: { address: ListAddress<Name | "tier"> }) {
  const { data: campaigns } = useQuery(campaignsQuery(useSession()));
  const tiered = (campaigns?.data ?? []).filter(({ tiers }) => tiers !== null);
  if (tiered.length === 0) return null;
  const values = tiered.flatMap(({ name, tiers }) =>
    (tiers?.steps ?? []).map((tier) => ({
      value: tier.id,
      label: tiered.length === 1 ? tier.name : `${tier.name}, ${name}`,
    })),
  );
  return <ChoiceChip address={address} field="tier" name={texts.tier} values={values} />;
}

import { useQuery } from "@tanstack/react-query";
import { ChoiceChip } from "../lists/choice-chip.tsx";
import type { ListAddress } from "../lists/use-list-address.ts";
import { useSession } from "../session/session.tsx";
import { campaignsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The filter by campaign, for an organization that has several. */
export function CampaignChip<Name extends string>({ address }: { address: ListAddress<Name | "campaign"> }) {
  const { data: campaigns } = useQuery(campaignsQuery(useSession()));
  if (campaigns === undefined || campaigns.data.length < 2) return null;
  return (
    <ChoiceChip
      address={address}
      field="campaign"
      name={texts.campaign}
      values={campaigns.data.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

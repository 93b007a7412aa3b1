import { ButtonLink } from "@findersfee/ui/components/button";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Megaphone } from "lucide-react";
import { useMemo } from "react";
import { Filters } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { useMay, useSession } from "../session/session.tsx";
import { campaignColumns } from "./columns.tsx";
import { campaignRowsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/campaigns");

/** The campaigns, each with its rate and its affiliates. */
export function CampaignsPage() {
  const session = useSession();
  const { home, organization } = session;
  const path = `${home}/campaigns`;
  const address: ListAddress<never> = useListAddress(path, route.useSearch());
  const query = useQuery(campaignRowsQuery(session));
  const columns = useMemo(() => campaignColumns(organization.currency), [organization.currency]);
  const may_add = useMay("admin");
  const rows = query.data?.campaigns;
  const has_rows = rows !== undefined && rows.length > 0;
  const wanted = (address.search.text ?? "").trim().toLowerCase();
  const data = rows?.filter(({ campaign }) => campaign.name.toLowerCase().includes(wanted));
  const add = may_add && (
    <ButtonLink look="solid" to={`${path}/new`}>
      {texts.add}
    </ButtonLink>
  );
  return (
    <ListPage
      title={texts.title}
      page_actions={has_rows && add}
      address={address}
      query={{ ...query, data: data && { data, newer: null, older: null } }}
      columns={columns}
      keyOf={({ campaign }) => campaign.id}
      nameOf={({ campaign }) => campaign.name}
      linkTo={({ campaign }) => `${path}/${campaign.id}/rules`}
      is_whole
      filters={<Filters address={address} label={texts.search} />}
      empty={{
        icon: Megaphone,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: add,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

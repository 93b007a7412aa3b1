import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useMemo } from "react";
import { CampaignChip } from "../campaigns/campaign-chip.tsx";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { APPLICATION_PATH } from "../requests/application-path.ts";
import { useSession } from "../session/session.tsx";
import { affiliateColumns } from "./columns.tsx";
import { nameOf } from "./name.ts";
import { affiliatesQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/affiliates");

/** Who are they, and who brings what? */
export function AffiliatesPage() {
  const session = useSession();
  const { organization, home } = session;
  const address: ListAddress<"status" | "campaign"> = useListAddress(`${home}/affiliates`, route.useSearch());
  const query = useQuery(affiliatesQuery(session, address.search));
  const columns = useMemo(() => affiliateColumns(organization.currency), [organization.currency]);
  return (
    <ListPage
      title={texts.title}
      address={address}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      filters={
        <Filters address={address} label={texts.search}>
          <ChoiceChip address={address} field="status" name={texts.status} values={valuesOf(texts.states)} />
          <CampaignChip address={address} />
          <PeriodChip address={address} />
        </Filters>
      }
      empty={{
        icon: Users,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <a href={`${APPLICATION_PATH}/docs`} className="text-accent underline">
            {texts.how_to_create}
          </a>
        ),
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useMemo } from "react";
import { valuesOf } from "../../lists/choice-chip.tsx";
import { Filters } from "../../lists/filters.tsx";
import { ListPage } from "../../lists/list-page.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { RowCountText } from "../../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { ExportButton } from "../../work/export-button.tsx";
import { referralColumns } from "./columns.tsx";
import { referralCounts, referralFilters, referralsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/referrals");

/** Which affiliate does this customer belong to? */
export function ReferralsPage() {
  const session = useSession();
  const { organization, home } = session;
  const path = `${home}/referrals`;
  const address: ListAddress<"status" | "affiliate"> = useListAddress(path, route.useSearch());
  const { search, change } = address;
  const query = useQuery(referralsQuery(session, search));
  const columns = useMemo(() => referralColumns(organization.currency), [organization.currency]);
  return (
    <ListPage
      title={texts.title}
      name="referrals"
      address={address}
      query={query}
      page_actions={
        <ExportButton
          page={query.data}
          start={() => session.api.dashboard.referrals.export.mutate(referralFilters(search))}
        />
      }
      count={<RowCountText counts={referralCounts(session, search)} address={address} />}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ email }) => email}
      linkTo={({ id }) => `${path}/${id}`}
      filters={
        <Filters address={address} label={texts.search}>
          <FilterChip
            name={texts.status}
            values={valuesOf(texts.statuses)}
            chosen={search.status?.split(",") ?? []}
            several
            onChoose={(chosen) => change({ status: chosen.length === 0 ? undefined : chosen.join(",") })}
          />
          <PeriodChip address={address} name={texts.signed_up} />
        </Filters>
      }
      empty={{
        icon: UserPlus,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

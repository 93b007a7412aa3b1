import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { nameOf } from "../../affiliates/name.ts";
import { affiliateQuery } from "../../affiliates/queries.ts";
import { ChoiceChip, valuesOf } from "../../lists/choice-chip.tsx";
import { Filters } from "../../lists/filters.tsx";
import { ListPage } from "../../lists/list-page.tsx";
import { NamedChip } from "../../lists/named-chip.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { newestOf, RowCountText } from "../../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { ExportButton } from "../../work/export-button.tsx";
import { claimColumns } from "./columns.tsx";
import { claimCounts, claimFilters, claimsQuery } from "./queries.ts";
import { readClaimSearch } from "./search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/claims");

type Address = ListAddress<"state" | "affiliate">;

/** Which missing sales do affiliates report, and which wait for a decision? */
export function ClaimsPage() {
  const session = useSession();
  const path = `${session.home}/claims`;
  const address: Address = useListAddress(path, readClaimSearch(route.useSearch()));
  const query = useQuery(claimsQuery(session, address.search));
  return (
    <ListPage
      title={texts.title}
      name="claims"
      address={address}
      query={query}
      page_actions={
        <ExportButton
          page={query.data}
          start={() => session.api.dashboard.claims.export.mutate(claimFilters(address.search))}
        />
      }
      count={
        <RowCountText
          counts={claimCounts(session, address.search)}
          newest={newestOf(query.data?.data, address.search)}
          address={address}
        />
      }
      columns={claimColumns}
      keyOf={({ id }) => id}
      nameOf={({ affiliate }) => nameOf(affiliate)}
      linkTo={({ id }) => `${path}/${id}`}
      filters={
        <Filters address={address} label={texts.search}>
          <ChoiceChip address={address} field="state" name={texts.state} values={valuesOf(texts.states)} />
          <PeriodChip address={address} name={texts.reported} />
          <AffiliateChip address={address} />
        </Filters>
      }
      empty={{
        icon: SearchX,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <a href={`${APPLICATION_PATH}/docs/tracking`} className="text-table text-accent underline">
            {texts.how_sales_are_tracked}
          </a>
        ),
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

/** The filter that a link from a claim sets. */
function AffiliateChip({ address }: { address: Address }) {
  const id = address.search.affiliate;
  const { data } = useQuery({ ...affiliateQuery(useSession(), id ?? ""), enabled: id !== undefined });
  return (
    <NamedChip
      address={address}
      field="affiliate"
      name={texts.affiliate}
      label={data && nameOf(data.affiliate)}
    />
  );
}

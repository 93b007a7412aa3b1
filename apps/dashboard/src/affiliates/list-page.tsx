import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { FilterBar, FilterChip } from "@findersfee/ui/lists/filter-bar";
import { List } from "@findersfee/ui/lists/list";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useMemo } from "react";
import { campaignsQuery } from "../campaigns/queries.ts";
import { ForbiddenPage, isForbidden } from "../frame/forbidden-page.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { rowPager } from "../lists/row-pager.ts";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { APPLICATION_PATH } from "../requests/application-path.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { affiliateColumns } from "./columns.tsx";
import { nameOf } from "./name.ts";
import { affiliatesQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/affiliates");

type Address = ListAddress<"status" | "campaign">;

/** Who are they, and who brings what? */
export function AffiliatesPage() {
  const session = useSession();
  const { organization, home } = session;
  const path = `${home}/affiliates`;
  const address: Address = useListAddress(path, route.useSearch());
  const { data, error, isPlaceholderData, refetch } = useQuery(affiliatesQuery(session, address.search));
  const columns = useMemo(() => affiliateColumns(organization.currency), [organization.currency]);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${organization.name}`}>
      <Filters address={address} />
      <List
        label={texts.title}
        columns={columns}
        rows={data?.data}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        busy={isPlaceholderData}
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={<NoAffiliates address={address} />}
        pager={rowPager(data, address)}
      />
    </Page>
  );
}

function Filters({ address: { search, change } }: { address: Address }) {
  const { data: campaigns } = useQuery(campaignsQuery(useSession()));
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  return (
    <FilterBar label={texts.search} text={search.text ?? ""} onText={(text) => change({ text })}>
      <FilterChip
        name={texts.status}
        values={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
        chosen={one(search.status)}
        onChoose={([status]) => change({ status })}
      />
      {campaigns !== undefined && campaigns.data.length > 1 && (
        <FilterChip
          name={texts.campaign}
          values={campaigns.data.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={one(search.campaign)}
          onChoose={([campaign]) => change({ campaign })}
        />
      )}
      <PeriodChip period={search.period} onChoose={(period) => change({ period })} />
    </FilterBar>
  );
}

function NoAffiliates({ address: { is_filtered, search, clear } }: { address: Address }) {
  if (!is_filtered) {
    return (
      <Empty
        icon={Users}
        title={texts.nothing_yet}
        action={
          <a href={`${APPLICATION_PATH}/docs`} className="text-accent underline">
            {texts.how_to_create}
          </a>
        }
      >
        {texts.nothing_yet_hint}
      </Empty>
    );
  }
  const named = search.text === undefined ? "" : ` ${texts.matches_text(search.text)}`;
  return (
    <Empty
      title={`${texts.nothing_matches}${named}`}
      action={<Button onClick={clear}>{texts.clear}</Button>}
    />
  );
}

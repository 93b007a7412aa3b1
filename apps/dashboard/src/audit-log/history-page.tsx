import { Progress, SkeletonRows } from "@findersfee/ui/components/skeleton";
import { shortId } from "@findersfee/ui/formats/ids";
import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { Pager } from "@findersfee/ui/lists/pager";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page, PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { History } from "lucide-react";
import { Suspense } from "react";
import { membersQuery } from "../identity/team/queries.ts";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { EmptyList } from "../lists/empty-list.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { RowCountText } from "../lists/row-count.tsx";
import { isShort, rowPager } from "../lists/row-pager.ts";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { Views } from "../lists/views/views.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { Entry } from "./entry.tsx";
import { actors } from "./link/actor.ts";
import { historyCounts, historyFilters, historyQuery } from "./queries.ts";
import { readHistorySearch } from "./search.ts";
import { RESOURCES, texts } from "./texts.ts";

/** Only owners have it. */
const ExportButton = lazyPart(() => import("../work/export-button.tsx"), "ExportButton");

/** Only owners see them, in the second tab. */
const SecurityEvents = lazyPart(() => import("./security-events.tsx"), "SecurityEvents");

const route = getRouteApi("/o/$slug/settings/history");

type Address = ListAddress<"kind" | "thing" | "by" | "part">;

/** Who changed what, and when? Owners also see the security events of members. */
export function HistoryPage() {
  const session = useSession();
  const { api, home, organization } = session;
  const path = `${home}/settings/history`;
  const address: Address = useListAddress(path, readHistorySearch(route.useSearch()));
  const may_see_security = useMay("owner");
  const is_security = may_see_security && address.search.part === "security";
  const { data } = useQuery({ ...historyQuery(session, address.search), enabled: !is_security });
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      width="text"
      beside={
        !is_security && <RowCountText counts={historyCounts(session, address.search)} address={address} />
      }
      actions={
        may_see_security && (
          <Suspense>
            <ExportButton
              page={data}
              start={() => api.dashboard.changes.export.mutate(historyFilters(address.search))}
            />
          </Suspense>
        )
      }
    >
      {may_see_security && (
        <PageTabs
          label={texts.parts}
          tabs={[
            { to: path, label: texts.changes, current: !is_security },
            { to: `${path}?part=security`, label: texts.security, current: is_security },
          ]}
        />
      )}
      {is_security ? (
        <Suspense fallback={<SkeletonRows label={texts.security} />}>
          <SecurityEvents address={address} />
        </Suspense>
      ) : (
        <Changes address={address} />
      )}
    </Page>
  );
}

function Changes({ address }: { address: Address }) {
  const session = useSession();
  const { data, error, isPlaceholderData, refetch } = useQuery(historyQuery(session, address.search));
  return (
    <>
      <HistoryFilters address={address} />
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Progress busy={isPlaceholderData} />
      {data === undefined && error === null && <SkeletonRows label={texts.title} />}
      {data !== undefined && data.data.length === 0 && (
        <EmptyList
          address={address}
          icon={History}
          nothing_yet={texts.nothing_yet}
          hint={texts.nothing_yet_hint}
          nothing_matches={texts.nothing_matches}
          older={data.older}
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <>
          <ul aria-label={texts.title} aria-busy={isPlaceholderData}>
            {data.data.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
          {!isShort(data) && (
            <footer className="flex min-h-12 items-center py-2">
              <Pager {...rowPager(data, address)} />
            </footer>
          )}
        </>
      )}
    </>
  );
}

function HistoryFilters({ address }: { address: Address }) {
  const { search, change } = address;
  const { data: members = [] } = useQuery(membersQuery(useSession()));
  const people = members.map(({ user_id, name, email }) => ({
    value: `user ${user_id}`,
    label: name,
    detail: email,
  }));
  const { by, thing } = search;
  const others = [{ value: "operator", label: actors.operator, detail: texts.operator_hint }];
  const known = [...people, ...others];
  return (
    <search className="flex flex-wrap items-center gap-2 py-3">
      <ChoiceChip address={address} field="kind" name={texts.kind} values={valuesOf(RESOURCES)} />
      <FilterChip
        name={texts.person}
        values={
          by === undefined || known.some(({ value }) => value === by)
            ? known
            : [...known, { value: by, label: by }]
        }
        chosen={by === undefined ? [] : [by]}
        onChoose={([chosen]) => change({ by: chosen })}
      />
      <PeriodChip address={address} />
      {thing !== undefined && (
        <FilterChip
          name={texts.only_thing}
          values={[{ value: thing, label: shortId(thing) }]}
          chosen={[thing]}
          onChoose={([chosen]) => change({ thing: chosen })}
        />
      )}
      <span className="ml-auto max-wide:ml-0">
        <Views list="history" address={address} />
      </span>
    </search>
  );
}

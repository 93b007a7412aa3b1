import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { FilterBar, FilterChip } from "@findersfee/ui/lists/filter-bar";
import { List } from "@findersfee/ui/lists/list";
import { useNavigation } from "@findersfee/ui/navigation";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { useMemo, useState } from "react";
import { ForbiddenPage, isForbidden } from "../frame/forbidden-page.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { APPLICATION_PATH } from "../requests/application-path.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { shortUrl } from "./address.ts";
import { endpointColumns } from "./columns.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { type EndpointRow, endpointsQuery } from "./queries.ts";
import { stateOf } from "./state.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/developers/webhooks");

type Address = ListAddress<"state">;

function matches(endpoint: EndpointRow, { text = "", state }: Address["search"]): boolean {
  if (state !== undefined && stateOf(endpoint) !== state) return false;
  return `${endpoint.url} ${endpoint.description}`.toLowerCase().includes(text.trim().toLowerCase());
}

/** Do all receivers get their events? */
export function EndpointsPage() {
  const session = useSession();
  const { navigate } = useNavigation();
  const path = `${session.home}/developers/webhooks`;
  const address: Address = useListAddress(path, route.useSearch());
  const { data, error, refetch } = useQuery(endpointsQuery(session));
  const columns = useMemo(() => endpointColumns(data?.most_counted ?? 0), [data?.most_counted]);
  const may_add = useMay("admin");
  const [adding, setAdding] = useState(false);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const has_endpoints = data !== undefined && data.rows.length > 0;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${session.organization.name}`}
      actions={
        may_add &&
        has_endpoints && (
          <Button look="solid" onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      {(has_endpoints || address.is_filtered) && <Filters address={address} />}
      <List
        label={texts.title}
        columns={columns}
        rows={data?.rows.filter((endpoint) => matches(endpoint, address.search))}
        keyOf={({ id }) => id}
        nameOf={({ url }) => shortUrl(url)}
        linkTo={({ id }) => `${path}/${id}`}
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={<NoEndpoints address={address} {...(may_add ? { onAdd: () => setAdding(true) } : {})} />}
      />
      <EndpointDialog
        endpoint={null}
        open={adding}
        onClose={() => setAdding(false)}
        onSaved={({ id }) => navigate(`${path}/${id}/settings`)}
      />
    </Page>
  );
}

function Filters({ address: { search, change } }: { address: Address }) {
  return (
    <FilterBar label={texts.search} text={search.text ?? ""} onText={(text) => change({ text })}>
      <FilterChip
        name={texts.state}
        values={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
        chosen={search.state === undefined ? [] : [search.state]}
        onChoose={([state]) => change({ state })}
      />
    </FilterBar>
  );
}

function NoEndpoints({
  address: { is_filtered, search, clear },
  onAdd,
}: {
  address: Address;
  onAdd?: () => void;
}) {
  if (!is_filtered) {
    return (
      <Empty
        icon={Webhook}
        title={texts.nothing_yet}
        action={
          <span className="flex flex-wrap items-center justify-center gap-4">
            {onAdd !== undefined && (
              <Button look="solid" onClick={onAdd}>
                {texts.add}
              </Button>
            )}
            <a href={`${APPLICATION_PATH}/docs/webhooks`} className="text-accent underline">
              {texts.how_to_receive}
            </a>
          </span>
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

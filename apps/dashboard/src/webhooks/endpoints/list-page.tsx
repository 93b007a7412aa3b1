import { Button } from "@findersfee/ui/components/button";
import { useNavigation } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { useMemo, useState } from "react";
import { ChoiceChip, valuesOf } from "../../lists/choice-chip.tsx";
import { Filters } from "../../lists/filters.tsx";
import { ListPage } from "../../lists/list-page.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useMay, useSession } from "../../session/session.tsx";
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
  const query = useQuery(endpointsQuery(session));
  const { rows, most_counted = 0 } = query.data ?? {};
  const columns = useMemo(() => endpointColumns(most_counted), [most_counted]);
  const may_add = useMay("admin");
  const [adding, setAdding] = useState(false);
  const has_endpoints = rows !== undefined && rows.length > 0;
  const add = may_add && (
    <Button look="solid" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  const data = rows?.filter((endpoint) => matches(endpoint, address.search));
  return (
    <ListPage
      title={texts.title}
      page_actions={has_endpoints && add}
      address={address}
      query={{ ...query, data: data && { data, newer: null, older: null } }}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ url }) => shortUrl(url)}
      linkTo={({ id }) => `${path}/${id}`}
      is_whole
      filters={
        <Filters address={address} label={texts.search}>
          <ChoiceChip address={address} field="state" name={texts.state} values={valuesOf(texts.states)} />
        </Filters>
      }
      empty={{
        icon: Webhook,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <span className="flex flex-wrap items-center justify-center gap-4">
            {add}
            <a href={`${APPLICATION_PATH}/docs/webhooks`} className="text-accent underline">
              {texts.how_to_receive}
            </a>
          </span>
        ),
        nothing_matches: texts.nothing_matches,
      }}
    >
      <EndpointDialog
        endpoint={null}
        open={adding}
        onClose={() => setAdding(false)}
        onSaved={({ id }) => navigate(`${path}/${id}/settings`)}
      />
    </ListPage>
  );
}

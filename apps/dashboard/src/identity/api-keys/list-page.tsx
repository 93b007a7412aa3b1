import { Button } from "@findersfee/ui/components/button";
import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Ellipsis, KeyRound } from "lucide-react";
import { useMemo, useState } from "react";
import { useHistoryItem } from "../../audit-log/link/address.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { apiKeyColumns } from "./columns.tsx";
import { CreateDialog, RevokeDialog, RotateDialog } from "./dialogs.tsx";
import { type ApiKeyView, apiKeysQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/developers/keys");

interface Opened {
  dialog: "rotate" | "revoke";
  key: ApiKeyView;
}

/** Which programs may use the API, and what may they do? */
export function ApiKeysPage() {
  const session = useSession();
  const path = `${session.home}/developers/keys`;
  const search = route.useSearch();
  const address: ListAddress<"state"> = useListAddress(path, search);
  const query = useQuery(apiKeysQuery(session, search));
  const may_change = useMay("admin");
  const [creating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);
  const is_revoked = search.state === "revoked";
  const may_change_keys = may_change && !is_revoked;
  const columns = useMemo(
    () => apiKeyColumns((key) => <KeyMenu apiKey={key} may_change={may_change_keys} onOpen={setOpened} />),
    [may_change_keys],
  );
  const create = may_change && (
    <Button look="solid" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const close = () => setOpened(null);
  return (
    <ListPage
      title={texts.title}
      page_actions={create}
      address={address}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      above={
        <PageTabs
          label={texts.parts}
          tabs={[
            { to: path, label: texts.valid, current: !is_revoked },
            { to: `${path}?state=revoked`, label: texts.revoked, current: is_revoked },
          ]}
        />
      }
      empty={{
        icon: KeyRound,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <a href={`${APPLICATION_PATH}/docs/quick-start`} className="text-accent underline">
            {texts.how_to_use}
          </a>
        ),
        nothing_matches: texts.none_revoked,
      }}
    >
      <CreateDialog open={creating} onClose={() => setCreating(false)} />
      {opened !== null && (
        <>
          <RotateDialog apiKey={opened.key} open={opened.dialog === "rotate"} onClose={close} />
          <RevokeDialog apiKey={opened.key} open={opened.dialog === "revoke"} onClose={close} />
        </>
      )}
    </ListPage>
  );
}

interface KeyMenuProps {
  apiKey: ApiKeyView;
  may_change: boolean;
  onOpen: (opened: Opened) => void;
}

function KeyMenu({ apiKey, may_change, onOpen }: KeyMenuProps) {
  const history = useHistoryItem(apiKey.id);
  const is_over = apiKey.expires_at !== null && Date.parse(apiKey.expires_at) <= Date.now();
  const open = (dialog: Opened["dialog"]) => () => onOpen({ dialog, key: apiKey });
  const rotate: MenuItem = { kind: "action", id: "rotate", label: texts.rotate, run: open("rotate") };
  const revoke: MenuItem = {
    kind: "action",
    id: "revoke",
    label: texts.revoke,
    danger: true,
    run: open("revoke"),
  };
  const changes = is_over ? [revoke] : [rotate, revoke];
  return (
    <Menu
      label={texts.more(apiKey.name.slice(0, 100))}
      look="quiet"
      shape="tiny"
      align="end"
      items={may_change ? [history, ...changes] : [history]}
    >
      <Ellipsis aria-hidden size={16} />
    </Menu>
  );
}

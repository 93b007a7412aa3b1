import { Button } from "@findersfee/ui/components/button";
import { Menu } from "@findersfee/ui/overlays/menu";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Ellipsis } from "lucide-react";
import { Suspense, useState } from "react";
import { useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { EVENT_TYPES } from "./event-types.ts";
import type { DialogName } from "./open-dialog.tsx";
import type { EndpointRow } from "./queries.ts";
import { texts } from "./texts.ts";

/** Loaded when one of the dialogs is opened. */
const OpenDialog = lazyPart(() => import("./open-dialog.tsx"), "OpenDialog");

/** The actions of admins on an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: EndpointRow }) {
  const { id, enabled } = endpoint;
  const { api } = useSession();
  const { change, busy } = useChange("endpoints");
  const [open, setOpen] = useState<DialogName | null>(null);
  const disable = () =>
    change({
      run: () => api.dashboard.endpoints.disable.mutate({ id }),
      toast: {
        text: texts.disabled,
        action: {
          label: texts.undo,
          run: () =>
            change({
              run: () => api.dashboard.endpoints.enable.mutate({ id, replay_missed: true }),
              toast: { text: texts.enabled },
            }),
        },
      },
    });
  return (
    <>
      {enabled ? (
        <>
          <TestMenu endpoint={endpoint} />
          <Button look="danger" busy={busy} onClick={disable}>
            {texts.disable}
          </Button>
        </>
      ) : (
        <Button look="solid" onClick={() => setOpen("enable")}>
          {texts.enable}
        </Button>
      )}
      <Menu
        label={texts.more}
        shape="square"
        align="end"
        items={[
          { kind: "action", id: "edit", label: texts.edit, run: () => setOpen("edit") },
          { kind: "action", id: "rotate", label: texts.rotate, run: () => setOpen("rotate") },
          { kind: "line", id: "line" },
          { kind: "action", id: "delete", label: texts.delete, danger: true, run: () => setOpen("delete") },
        ]}
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
      {open !== null && (
        <Suspense>
          <OpenDialog name={open} endpoint={endpoint} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}

function TestMenu({ endpoint: { id } }: { endpoint: EndpointRow }) {
  const { api } = useSession();
  const { change } = useChange("endpoints");
  return (
    <Menu
      align="end"
      items={[
        { kind: "heading", id: "heading", label: texts.example_of },
        ...EVENT_TYPES.map((type) => ({
          kind: "action" as const,
          id: type,
          label: type,
          run: () =>
            change({
              run: () => api.dashboard.endpoints.test.mutate({ id, type }),
              toast: { text: texts.test_sent(type) },
            }),
        })),
      ]}
    >
      {texts.test}
    </Menu>
  );
}

import { Button } from "@findersfee/ui/components/button";
import { Menu } from "@findersfee/ui/overlays/menu";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Ellipsis } from "lucide-react";
import { Suspense, useState } from "react";
import type { DialogName } from "./open-dialog.tsx";
import type { Connection } from "./queries.ts";
import { texts } from "./texts.ts";

/** Loaded when one of the dialogs is opened. */
const OpenDialog = lazyPart(() => import("./open-dialog.tsx"), "OpenDialog");

interface ActionsProps {
  connection: Connection;
  /** Gets a secret that the service has made. */
  onSecret: (secret: string) => void;
}

/** The actions of admins on a connection. */
export function ConnectionActions({ connection, onSecret }: ActionsProps) {
  const { endpoint_state, endpoint_id } = connection;
  const [open, setOpen] = useState<DialogName | null>(null);
  return (
    <>
      {connection.name === "stripe" && <Button onClick={() => setOpen("change")}>{texts.change}</Button>}
      <Menu
        label={texts.more}
        shape="square"
        align="end"
        items={[
          ...(endpoint_state === null || endpoint_id !== null
            ? ([
                { kind: "action", id: "rotate", label: texts.rotate, run: () => setOpen("rotate") },
                { kind: "line", id: "line" },
              ] as const)
            : []),
          {
            kind: "action",
            id: "disconnect",
            label: texts.disconnect,
            danger: true,
            run: () => setOpen("disconnect"),
          },
        ]}
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
      {open !== null && (
        <Suspense>
          <OpenDialog name={open} connection={connection} onClose={() => setOpen(null)} onSecret={onSecret} />
        </Suspense>
      )}
    </>
  );
}

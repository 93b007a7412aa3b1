import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import type { Detail } from "../queries.ts";
import { texts } from "./texts.ts";

/** The ban of an erased affiliate, which keeps its addresses out until staff lift it. */
export function ErasedBan({ detail: { affiliate, erased_ban } }: { detail: Detail }) {
  return (
    <div className="pb-4">
      <Notice tone="warn" title={texts.erased_ban} actions={<LiftButton id={affiliate.id} />}>
        <span dir="auto">{texts.erased_ban_hint(erased_ban?.reason ?? null)}</span> {texts.erased_hint}
      </Notice>
    </div>
  );
}

function LiftButton({ id }: { id: string }) {
  const { api } = useSession();
  const { change, busy } = useChange("affiliates");
  const may_lift = useMay("admin");
  if (!may_lift) return null;
  return (
    <Button
      busy={busy}
      onClick={() =>
        change({
          run: () => api.dashboard.affiliates.liftErasedBan.mutate({ id }),
          toast: { text: texts.ban_lifted },
        })
      }
    >
      {texts.lift_ban}
    </Button>
  );
}

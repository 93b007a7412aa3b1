import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { Notice } from "@findersfee/ui/components/notice";
import { formatDay } from "@findersfee/ui/formats/dates";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { owedOf } from "../owed.ts";
import type { Detail } from "../queries.ts";
import { texts } from "./texts.ts";

/** Why payout runs leave the affiliate out, and how that ends: by a release, or, for one that was erased, by voiding. */
export function PayoutHold({ detail: { affiliate, erased, payout_hold, balances } }: { detail: Detail }) {
  const owed = owedOf(balances);
  const clock = useClock();
  if (payout_hold === null || (erased && owed === null)) return null;
  const title = payout_hold.of_ban ? texts.left_out_of_ban : texts.left_out;
  return (
    <div className="pb-4">
      {erased ? (
        <Notice
          tone="warn"
          title={texts.owed_title(owed ?? "")}
          actions={<VoidButton id={affiliate.id} owed={owed ?? ""} />}
        >
          {texts.owed_hint}
        </Notice>
      ) : (
        <Notice tone="warn" title={title} actions={<ReleaseButton id={affiliate.id} />}>
          <span dir="auto">
            {payout_hold.ends_at === null
              ? texts.left_out_due(payout_hold.reason, owed)
              : texts.left_out_until(owed, formatDay(new Date(payout_hold.ends_at), clock))}
          </span>
        </Notice>
      )}
    </div>
  );
}

function ReleaseButton({ id }: { id: string }) {
  const { api } = useSession();
  const { change, busy } = useChange("affiliates");
  const may_release = useMay("admin");
  if (!may_release) return null;
  return (
    <Button
      busy={busy}
      onClick={() =>
        change({
          run: () => api.dashboard.payout_runs.release.mutate({ affiliate_ids: [id] }),
          toast: { text: texts.released },
        })
      }
    >
      {texts.release}
    </Button>
  );
}

function VoidButton({ id, owed }: { id: string; owed: string }) {
  const { api } = useSession();
  const toast = useToast();
  const may_void = useMay("admin");
  const [is_asking, setAsking] = useState(false);
  if (!may_void) return null;
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {texts.void_owed}
      </Button>
      <OrganizationDialog
        open={is_asking}
        onClose={() => setAsking(false)}
        title={texts.void_owed_title(owed)}
        confirm={texts.void_owed_submit}
        look="danger"
        changes="affiliates"
        run={() => api.dashboard.affiliates.ban.mutate({ ids: [id], due: "void" })}
        onDone={() => toast({ text: texts.owed_voided })}
      >
        <p>{texts.void_owed_confirm}</p>
      </OrganizationDialog>
    </>
  );
}

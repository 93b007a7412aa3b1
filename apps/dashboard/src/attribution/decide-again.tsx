import { Button } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BreakdownColumn } from "../lists/breakdown.tsx";
import { type Session, useSession } from "../session/session.tsx";
import { DecisionChanges } from "./decision-changes.tsx";
import { texts } from "./texts.ts";

type Decided = Awaited<
  ReturnType<Session["api"]["dashboard"]["payment_decisions"]["previewRerun"]["mutate"]>
>[number];

const PAYMENT: BreakdownColumn<Decided> = {
  header: texts.payment_id,
  cell: ({ processor_payment_id }) => (
    <span className="block truncate font-mono text-meta">{processor_payment_id}</span>
  ),
};

export interface DecideAgainProps {
  ids: readonly string[];
  open: boolean;
  onClose: () => void;
}

/** Shows the results of deciding payments again, and then does it. */
export function DecideAgain({ ids, open, onClose }: DecideAgainProps) {
  const { api, organization } = useSession();
  const toast = useToast();
  const client = useQueryClient();
  const preview = useMutation({
    mutationFn: () => api.dashboard.payment_decisions.previewRerun.mutate({ ids: [...ids] }),
  });
  const rerun = useMutation({
    mutationFn: () => api.dashboard.payment_decisions.rerunMany.mutate({ ids: [...ids] }),
    onSuccess: async (decided) => {
      onClose();
      toast({ text: texts.again_done(decided.filter(({ changed }) => changed).length) });
      await client.invalidateQueries({ queryKey: [organization.id] });
    },
  });
  const { mutate, reset } = preview;
  const resetRerun = rerun.reset;
  useEffect(() => {
    if (!open) return;
    resetRerun();
    reset();
    mutate();
  }, [open, mutate, reset, resetRerun]);
  const changes = preview.data?.filter(({ changed }) => changed) ?? [];
  const error = preview.error ?? rerun.error;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.again_title(ids.length)}
      shape={changes.length > 0 ? "wide" : "middle"}
      actions={
        <>
          <Button onClick={onClose}>
            {changes.length > 0 || preview.isPending ? texts.cancel : texts.close}
          </Button>
          {(changes.length > 0 || preview.isPending) && (
            <Button
              look="solid"
              busy={rerun.isPending}
              disabled={preview.data === undefined}
              onClick={() => rerun.mutate()}
            >
              {texts.again}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">{texts.again_hint}</p>
        <div role="status">
          {preview.isPending && texts.checking}
          {preview.data !== undefined && texts.again_changes(changes.length, ids.length)}
        </div>
        {error !== null && (
          <Failure message={failureOf(error).message} request_id={failureOf(error).request_id} />
        )}
        {changes.length > 0 && (
          <DecisionChanges changes={changes} payment={PAYMENT} currencyOf={({ before }) => before.currency} />
        )}
      </div>
    </Dialog>
  );
}

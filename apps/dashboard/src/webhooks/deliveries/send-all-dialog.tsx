import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { newKey } from "../../requests/new-key.ts";
import { useSession } from "../../session/session.tsx";
import { type DeliverySearch, filterOf } from "./queries.ts";
import { send_all_texts } from "./send-all-texts.ts";
import { texts } from "./texts.ts";

interface Progress {
  retried: number;
  skipped: number;
  cursor: string | undefined;
  /**
   * The key of the next request. A request without an answer is sent again with the same key, so it takes
   * effect once.
   */
  key: string;
}

export interface SendAllDialogProps {
  endpoint_id: string;
  search: DeliverySearch;
  onClose: () => void;
}

/** Sends all failed deliveries of a view again, in steps. If a step fails, it says how far it came, and can continue. */
export function SendAllDialog({ endpoint_id, search, onClose }: SendAllDialogProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const progress = useRef<Progress>({ retried: 0, skipped: 0, cursor: undefined, key: newKey() });
  // The same for all steps: deliveries that fail in between are left alone.
  const [filter] = useState(() => {
    const view = filterOf(endpoint_id, search);
    return { ...view, failed: true, created_until: view.created_until ?? new Date().toISOString() };
  });
  const [retried, setRetried] = useState(0);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      for (;;) {
        const { cursor, key } = progress.current;
        const step = await api.dashboard.deliveries.retryMany.mutate(
          { filter, cursor },
          { context: { idempotency_key: key } },
        );
        progress.current = {
          retried: progress.current.retried + step.retried,
          skipped: progress.current.skipped + step.skipped,
          cursor: step.next_cursor ?? undefined,
          key: newKey(),
        };
        setRetried(progress.current.retried);
        if (step.next_cursor === null) return progress.current;
      }
    },
    onSuccess: (sent) => {
      onClose();
      toast({ text: texts.sent_again(sent.retried, sent.skipped) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id, "endpoints"] }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isPending}
      title={send_all_texts.title}
      actions={
        <>
          {!isPending && <Button onClick={onClose}>{send_all_texts.cancel}</Button>}
          <Button look="solid" busy={isPending} onClick={() => mutate()}>
            {error === null ? send_all_texts.confirm : send_all_texts.confirm_rest}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{send_all_texts.hint}</p>
        <p role="status" className="tabular-nums">
          {isPending && send_all_texts.sending(retried)}
        </p>
        {error !== null && !isPending && (
          <Notice tone="bad" title={send_all_texts.stopped(retried)} alert>
            {failureOf(error).message}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

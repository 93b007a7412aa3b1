import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { startBulkChange } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import { run_texts } from "./run-texts.ts";

/** The most payouts that one call marks. */
export const MAX_MOVED = 1000;

/** Payouts by id, or the open ones of a run. */
export type Movable = { ids: readonly string[] } | { run_id: string; count: number };

export type Move = keyof typeof run_texts.moves;

/** Marks payouts, all or none. */
export function useMove(payouts: Movable, onDone: () => void) {
  const { api, organization, home } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ status, reason }: { status: Move; reason: string }) => {
      const ids = "ids" in payouts ? payouts.ids : await openOf(payouts.run_id);
      const send = async (part: readonly string[]) => {
        const moved = await api.dashboard.payouts.move.mutate({
          ids: [...part],
          status,
          through_processing: true,
          ...(reason === "" ? {} : { reason }),
        });
        return moved.length;
      };
      if (ids.length <= MAX_MOVED) return { count: await send(ids), status };
      startBulkChange({
        ids,
        title: run_texts.mark_many(ids.length, run_texts.moves[status]),
        confirm: null,
        send,
        pathOf: (id) => `${home}/payouts/${id}`,
      });
      return { count: null, status };
    },
    onSuccess: ({ count, status }) => {
      onDone();
      if (count !== null) toast({ text: run_texts.moved(count, run_texts.moves[status]) });
    },
    // Also after a failure: without an answer it is not known whether they were marked.
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });

  async function openOf(run_id: string): Promise<readonly string[]> {
    return (await api.dashboard.payouts.open.query({ run_id })).ids;
  }
}

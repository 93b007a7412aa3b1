import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { run_texts } from "./run-texts.ts";

/** The most payouts that one call marks. */
export const MAX_MOVED = 1000;

/** Payouts by id, or the open ones of a run. */
export type Movable = { ids: readonly string[] } | { run_id: string; count: number };

export type Move = keyof typeof run_texts.moves;

/** Marks payouts, all or none. */
export function useMove(payouts: Movable, onDone: () => void) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ status, reason }: { status: Move; reason: string }) => {
      const ids = "ids" in payouts ? payouts.ids : await openOf(payouts.run_id);
      const moved = await api.dashboard.payouts.move.mutate({
        ids: [...ids],
        status,
        through_processing: true,
        ...(reason === "" ? {} : { reason }),
      });
      return { count: moved.length, status };
    },
    onSuccess: ({ count, status }) => {
      onDone();
      toast({ text: run_texts.moved(count, run_texts.moves[status]) });
    },
    // Also after a failure: without an answer it is not known whether they were marked.
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });

  async function openOf(run_id: string): Promise<readonly string[]> {
    return (await api.dashboard.payouts.open.query({ run_id })).ids;
  }
}

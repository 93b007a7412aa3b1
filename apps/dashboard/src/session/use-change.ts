import { type Toast, useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "./session.tsx";

export interface Change {
  run: () => Promise<unknown>;
  /** Shown when it is done. */
  toast: Toast;
}

/** Runs one change at a time, reports its result, and loads the queries again that have `changes` as second part of their keys. */
export function useChange(changes: string): { change: (change: Change) => void; busy: boolean } {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ run }: Change) => run(),
    onSuccess: (_, done) => {
      toast(done.toast);
      return client.invalidateQueries({ queryKey: [organization.id, changes] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return { change: mutate, busy: isPending };
}

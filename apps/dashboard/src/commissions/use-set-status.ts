import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

type Action = "void" | "restore";

const OPPOSITE: Record<Action, Action> = { void: "restore", restore: "void" };

/** Voids or restores commissions. Each is undone by the other. */
export function useSetStatus(): { run: (action: Action, ids: readonly string[]) => void; busy: boolean } {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ action, ids }: { action: Action; ids: readonly string[]; is_undo: boolean }) =>
      api.dashboard.commissions[action].mutate({ ids: [...ids] }),
    onSuccess: ({ changed }, { action, ids, is_undo }) => {
      toast({
        text: action === "void" ? texts.voided(changed) : texts.restored(changed),
        ...(is_undo
          ? {}
          : {
              action: {
                label: texts.undo,
                run: () => mutate({ action: OPPOSITE[action], ids, is_undo: true }),
              },
            }),
      });
      return client.invalidateQueries({ queryKey: [organization.id] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return { run: (action, ids) => mutate({ action, ids, is_undo: false }), busy: isPending };
}

import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

type Action = "void" | "restore" | "keep" | "release";

const OPPOSITE: Record<Action, Action> = {
  void: "restore",
  restore: "void",
  keep: "release",
  release: "keep",
};

const DONE: Record<Action, (changed: number) => string> = {
  void: texts.voided,
  restore: texts.restored,
  keep: texts.kept,
  release: texts.released,
};

/** Voids or restores commissions, or decides whether voided ones stay so. Each is undone by its opposite. */
export function useSetStatus(): { run: (action: Action, ids: readonly string[]) => void; busy: boolean } {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ action, ids }: { action: Action; ids: readonly string[]; is_undo: boolean }) => {
      const { commissions } = api.dashboard;
      return action === "void" || action === "restore"
        ? commissions[action].mutate({ ids: [...ids] })
        : commissions.keepVoided.mutate({ ids: [...ids], stays_voided: action === "keep" });
    },
    onSuccess: ({ changed }, { action, ids, is_undo }) => {
      toast({
        text: DONE[action](changed),
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

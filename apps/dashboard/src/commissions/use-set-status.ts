import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BULK_PART, startBulkChange } from "../session/bulk-change.ts";
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

interface Change {
  action: Action;
  ids: readonly string[];
  /** The reason for voiding, for the history. */
  reason?: string | null;
  is_undo: boolean;
}

interface SetStatus {
  run: (action: Action, ids: readonly string[], reason?: string | null) => void;
  busy: boolean;
}

/** Voids or restores commissions, or decides whether voided ones stay so. Each is undone by its opposite. */
export function useSetStatus(): SetStatus {
  const { api, organization, home } = useSession();
  const send = ({ action, ids, reason = null }: Omit<Change, "is_undo">) => {
    const { commissions } = api.dashboard;
    if (action === "void") return commissions.void.mutate({ ids: [...ids], reason });
    return action === "restore"
      ? commissions.restore.mutate({ ids: [...ids] })
      : commissions.keepVoided.mutate({ ids: [...ids], stays_voided: action === "keep" });
  };
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ is_undo: _, ...change }: Change) => send(change),
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
  return {
    run: (action, ids, reason = null) =>
      ids.length > BULK_PART
        ? startBulkChange({
            ids,
            title: action === "void" ? texts.void_title(ids.length) : texts.restore_many(ids.length),
            // The dialog that asks for the reason has asked.
            confirm: action === "void" ? null : texts.restore,
            send: async (part) => (await send({ action, ids: part, reason })).changed,
            pathOf: (id) => `${home}/commissions/${id}`,
          })
        : mutate({ action, ids, reason, is_undo: false }),
    busy: isPending,
  };
}

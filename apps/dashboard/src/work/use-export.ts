import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { export_texts } from "./export-texts.ts";
import { jobsKey } from "./jobs-key.ts";

/** Starts an export, which the tray then shows. */
export function useExport(start: () => Promise<unknown>): { run: () => void; busy: boolean } {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: start,
    onSuccess: () => {
      toast({ text: export_texts.started });
      return client.invalidateQueries({ queryKey: jobsKey(organization.id) });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return { run: () => mutate(), busy: isPending };
}

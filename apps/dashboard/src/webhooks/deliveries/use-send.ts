import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** Sends events to an endpoint now, regardless of earlier attempts. */
export function useSend(endpoint_id: string): {
  send: (event_ids: readonly string[]) => void;
  busy: boolean;
} {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (event_ids: readonly string[]) =>
      api.dashboard.deliveries.retryMany.mutate({
        deliveries: event_ids.map((event_id) => ({ endpoint_id, event_id })),
      }),
    onSuccess: ({ retried, skipped }) => {
      toast({ text: texts.sent_again(retried, skipped) });
      return client.invalidateQueries({ queryKey: [organization.id, "endpoints"] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return { send: mutate, busy: isPending };
}

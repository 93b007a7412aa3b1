import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { newKey } from "../requests/new-key.ts";
import { useSession } from "../session/session.tsx";
import { adjustment_texts } from "./texts.ts";

export interface NewAdjustment {
  affiliate_id: string;
  amount: number;
  currency: string;
  reason: string;
  commission_id?: string;
}

/** Creates an adjustment. */
export function useCreateAdjustment(onCreated: () => void) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const sent = useRef({ text: "", key: "" });
  return useMutation({
    mutationFn: async (input: NewAdjustment) => {
      // The same again, after an answer that was lost, changes the balance once.
      const text = JSON.stringify(input);
      if (sent.current.text !== text) sent.current = { text, key: newKey() };
      return await api.adjustments.create.mutate(input, { context: { idempotency_key: sent.current.key } });
    },
    onSuccess: () => {
      onCreated();
      toast({ text: adjustment_texts.created });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
}

type Status = "voided" | "not_paid";

/** Withdraws or restores an adjustment. Each is undone by the other. */
export function useSetAdjustment(): { run: (id: string, payout_status: Status) => void; busy: boolean } {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (input: { id: string; payout_status: Status }) => api.adjustments.update.mutate(input),
    onSuccess: (_, { payout_status }) =>
      toast({
        text: payout_status === "voided" ? adjustment_texts.withdrawn : adjustment_texts.restored,
      }),
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  return { run: (id, payout_status) => mutate({ id, payout_status }), busy: isPending };
}

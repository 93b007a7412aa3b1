import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BULK_PART, startBulkChange } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import { review_texts } from "./review-texts.ts";

/** The decision about commissions in review. */
type Decision = { ids: readonly string[] } & ({ action: "approve" } | { action: "reject"; reason: string });

interface Review {
  run: (decision: Decision) => void;
  busy: boolean;
}

/** Approves or rejects commissions, all or none; many in parts. */
export function useReview(): Review {
  const { api, organization, home } = useSession();
  const { commissions } = api.dashboard;
  const client = useQueryClient();
  const toast = useToast();
  const send = (decision: Decision) =>
    decision.action === "approve"
      ? commissions.approve.mutate({ ids: [...decision.ids] })
      : commissions.reject.mutate({ ids: [...decision.ids], reason: decision.reason });
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: ({ changed }, { action }) => {
      toast({ text: (action === "approve" ? review_texts.approved : review_texts.rejected)(changed) });
      return client.invalidateQueries({ queryKey: [organization.id] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return {
    run: (decision) => {
      const { ids, action } = decision;
      if (ids.length <= BULK_PART) return mutate(decision);
      startBulkChange({
        ids,
        title: (action === "approve" ? review_texts.approve_title : review_texts.reject_title)(ids.length),
        // The dialog that asks for the reason has asked.
        confirm: action === "approve" ? review_texts.approve : null,
        send: async (part) => (await send({ ...decision, ids: part })).changed,
        pathOf: (id) => `${home}/commissions/${id}`,
      });
    },
    busy: isPending,
  };
}

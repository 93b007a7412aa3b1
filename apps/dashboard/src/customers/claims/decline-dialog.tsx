import { MAX_CLAIM_ANSWER } from "@findersfee/contract/customers/claim-limits";
import { Button } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { nameOf } from "../../affiliates/name.ts";
import { useSession } from "../../session/session.tsx";
import type { DecisionDialogProps } from "./accept-dialog.tsx";
import { DecidedByOther } from "./decided-by-other.tsx";
import { texts } from "./texts.ts";

/** Declines a claim with a reason for the affiliate. The reason begins as a proposal from the verdict. */
export function DeclineDialog({ detail, onClose, proposal }: DecisionDialogProps & { proposal: string }) {
  const { claim } = detail;
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const form_id = useId();
  const name = nameOf(claim.affiliate);
  const [is_empty, setEmpty] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (answer: string) => api.dashboard.claims.decline.mutate({ id: claim.id, answer }),
    onSuccess: () => {
      onClose();
      toast({ text: texts.declined });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = String(new FormData(event.currentTarget).get("answer") ?? "").trim();
    setEmpty(answer === "");
    if (answer !== "" && !isPending) mutate(answer);
  };
  const is_decided = claim.state !== "open" && !isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isPending}
      title={texts.decline_title(name)}
      actions={
        is_decided ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button look="danger" type="submit" form={form_id} busy={isPending}>
              {texts.decline_confirm}
            </Button>
          </>
        )
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-4" noValidate>
        {is_decided && <DecidedByOther claim={claim} />}
        <TextAreaField
          label={texts.decline_answer}
          name="answer"
          required
          rows={5}
          maxLength={MAX_CLAIM_ANSWER}
          defaultValue={proposal}
          hint={texts.decline_answer_hint(name)}
          error={is_empty ? texts.answer_missing : undefined}
        />
        {error !== null && !is_decided && (
          <Failure message={failureOf(error).message} request_id={failureOf(error).request_id} />
        )}
      </form>
    </Dialog>
  );
}

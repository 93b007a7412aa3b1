import { TextAreaField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

export interface HoldDialogProps {
  affiliate_ids: readonly string[];
  open: boolean;
  onClose: () => void;
}

/** Leaves affiliates out of payout runs, with a reason. */
export function HoldDialog({ affiliate_ids, open, onClose }: HoldDialogProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [is_missing, setMissing] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (reason: string) =>
      api.dashboard.payout_runs.hold.mutate({ affiliate_ids: [...affiliate_ids], reason }),
    onSuccess: () => {
      onClose();
      toast({ text: texts.left_out_done(affiliate_ids.length) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  useEffect(() => {
    if (!open) return;
    reset();
    setMissing(false);
  }, [open, reset]);
  const submit = (form: FormData) => {
    const reason = String(form.get("reason") ?? "").trim();
    setMissing(reason === "");
    if (reason !== "") mutate(reason);
  };
  const failure = error === null ? null : failureOf(error);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.leave_out_title(affiliate_ids.length)}
      submit={texts.leave_out_submit}
      busy={isPending}
      onSubmit={submit}
    >
      <p>{texts.leave_out_hint}</p>
      <TextAreaField
        label={texts.leave_out_reason}
        name="reason"
        maxLength={500}
        hint={texts.leave_out_reason_hint}
        {...(is_missing ? { error: texts.leave_out_missing } : {})}
      />
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
    </FormDialog>
  );
}

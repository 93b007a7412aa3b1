import { TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { parseMoney } from "@findersfee/ui/formats/money";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSession } from "../session/session.tsx";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";
import { texts } from "./texts.ts";
import { ReasonField, reasonIn } from "./void-dialog.tsx";

/** A lead has no revenue. */
function amountsOf({ lead }: Story["commission"]) {
  return lead === null
    ? (["revenue_amount", "commission_amount"] as const)
    : (["commission_amount"] as const);
}

export interface CorrectDialogProps {
  commission: Story["commission"];
  open: boolean;
  onClose: () => void;
}

/** Changes the amounts of a commission. */
export function CorrectDialog({ commission, open, onClose }: CorrectDialogProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { id, currency } = commission;
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (change: { revenue_amount?: number; commission_amount?: number; reason: string | null }) =>
      api.dashboard.commissions.correct.mutate({ id, ...change }),
    onSuccess: async () => {
      onClose();
      toast({ text: story_texts.saved });
      await client.invalidateQueries({ queryKey: [organization.id] });
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const failure = error === null ? null : failureOf(error);
  const submit = (form: FormData) => {
    const parsed = amountsOf(commission).map((name) => ({
      name,
      amount: parseMoney(String(form.get(name) ?? ""), currency),
    }));
    setUnreadable(parsed.filter(({ amount }) => amount === null).map(({ name }) => name));
    if (parsed.some(({ amount }) => amount === null)) return;
    const changed = parsed.filter(({ name, amount }) => amount !== commission[name]);
    mutate({
      ...Object.fromEntries(changed.map(({ name, amount }) => [name, amount])),
      reason: reasonIn(form),
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={story_texts.correct_title}
      submit={story_texts.save}
      busy={isPending}
      onSubmit={submit}
    >
      <p className="text-muted">{story_texts.correct_hint}</p>
      {amountsOf(commission).map((name) => (
        <TextField
          key={name}
          label={story_texts.fields[name] ?? name}
          name={name}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={commission[name]}
          suffix={currency}
          error={
            unreadable.includes(name)
              ? texts.bad_amount
              : failure?.issues.find(({ path }) => path === name)?.message
          }
        />
      ))}
      <ReasonField error={failure?.issues.find(({ path }) => path === "reason")?.message} />
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
    </FormDialog>
  );
}

import { Button, type ButtonLook } from "@findersfee/ui/components/button";
import { Checkbox, SelectField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { useNavigation } from "@findersfee/ui/navigation";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId } from "react";
import { failureOf } from "../requests/failure.ts";
import { useSession } from "../session/session.tsx";
import { shortUrl } from "./address.ts";
import type { EndpointRow } from "./queries.ts";
import { texts } from "./texts.ts";

export interface EndpointDialogsProps {
  endpoint: EndpointRow;
  open: boolean;
  onClose: () => void;
}

/** Enables an endpoint, with what it missed. */
export function EnableDialog({ endpoint: { id }, ...rest }: EndpointDialogsProps) {
  const { api } = useSession();
  return (
    <Question
      {...rest}
      title={texts.enable_title}
      confirm={texts.enable_now}
      done={texts.enabled}
      run={(form) => api.dashboard.endpoints.enable.mutate({ id, replay_missed: form.has("replay_missed") })}
    >
      <Checkbox name="replay_missed" label={texts.also_missed} hint={texts.also_missed_hint} defaultChecked />
    </Question>
  );
}

/** Replaces the signing secret; the former one stays valid for a while. */
export function RotateDialog({ endpoint: { id }, ...rest }: EndpointDialogsProps) {
  const { api } = useSession();
  return (
    <Question
      {...rest}
      title={texts.rotate_title}
      confirm={texts.rotate_now}
      done={texts.rotated}
      run={(form) =>
        api.dashboard.endpoints.rotate.mutate({ id, overlap_seconds: Number(form.get("overlap_seconds")) })
      }
    >
      <SelectField label={texts.old_expires} name="overlap_seconds" hint={texts.rotate_hint}>
        {texts.overlaps.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </SelectField>
    </Question>
  );
}

/** Deletes an endpoint, which cannot be undone. */
export function DeleteDialog({ endpoint: { id, url, health }, ...rest }: EndpointDialogsProps) {
  const { api, home } = useSession();
  const { navigate } = useNavigation();
  const waiting = health?.pending ?? 0;
  return (
    <Question
      {...rest}
      title={texts.delete_title}
      confirm={texts.delete_now}
      look="danger"
      done={texts.deleted}
      run={async () => {
        await api.dashboard.endpoints.delete.mutate({ id });
        navigate(`${home}/developers/webhooks`);
      }}
    >
      <p>{texts.delete_hint(shortUrl(url))}</p>
      {waiting > 0 && <p>{texts.delete_waiting(waiting)}</p>}
    </Question>
  );
}

interface QuestionProps {
  open: boolean;
  onClose: () => void;
  title: string;
  confirm: string;
  look?: ButtonLook;
  /** The toast when it is done. */
  done: string;
  run: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

/** A dialog with a change of an endpoint, and the reason why it was refused. */
function Question({ open, onClose, title, confirm, look = "solid", done, run, children }: QuestionProps) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const form_id = useId();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      onClose();
      toast({ text: done });
      await client.invalidateQueries({ queryKey: [organization.id, "endpoints"] });
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look={look} type="submit" form={form_id} busy={isPending}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={form_id} onSubmit={submit} className="grid gap-3">
        {children}
        {error !== null && (
          <Failure message={failureOf(error).message} request_id={failureOf(error).request_id} />
        )}
      </form>
    </Dialog>
  );
}

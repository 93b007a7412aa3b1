import { Button } from "@findersfee/ui/components/button";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { type Failure as Failed, failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import type { FormDraft } from "../../forms/use-draft.ts";
import { useSession } from "../../session/session.tsx";
import { CreatedKey, type NewKey } from "./created-key.tsx";
import { API_KEYS } from "./queries.ts";
import { texts } from "./texts.ts";

/** A key that replaces another also says when that one ends. */
type Created = NewKey & { old_expires_at?: string };

export interface KeyDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  confirm: string;
  run: (form: FormData) => Promise<Created>;
  draft?: FormDraft;
  /** The fields, with the reason why they were refused. */
  children: (failure: Failed | null) => ReactNode;
}

/** A form that makes a key, and then the key itself, which is shown once: only its button closes the dialog. */
export function KeyDialog({ open, onClose, title, confirm, run, draft, children }: KeyDialogProps) {
  const { organization } = useSession();
  const client = useQueryClient();
  const form_id = useId();
  // The request is sent before `isPending` is rendered, and somebody may press Escape in between.
  const is_running = useRef(false);
  const { mutate, isPending, data, error, reset } = useMutation({
    mutationFn: run,
    // The key itself is nowhere but in this dialog.
    gcTime: 0,
    onSuccess: () => {
      draft?.clear();
      return client.invalidateQueries({ queryKey: [organization.id, API_KEYS] });
    },
    onSettled: () => {
      is_running.current = false;
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (is_running.current) return;
    is_running.current = true;
    mutate(new FormData(event.currentTarget));
  };
  const close = () => {
    // A key that arrives after its dialog would be lost.
    if (is_running.current) return;
    reset();
    onClose();
  };
  const cancel = () => {
    draft?.clear();
    close();
  };
  const failure = error === null ? null : failureOf(error);
  return (
    <Dialog
      open={open}
      onClose={close}
      locked={isPending || data !== undefined}
      shape={data === undefined ? "middle" : "wide"}
      title={data === undefined ? title : texts.created_title}
      actions={
        data === undefined ? (
          <>
            <Button onClick={cancel} disabled={isPending} className="disabled:text-muted">
              {texts.cancel}
            </Button>
            <Button look="solid" type="submit" form={form_id} busy={isPending}>
              {confirm}
            </Button>
          </>
        ) : (
          <Button look="solid" onClick={close}>
            {texts.done}
          </Button>
        )
      }
    >
      {data === undefined ? (
        <form
          key={draft?.key}
          {...(draft === undefined ? {} : { ref: draft.form })}
          id={form_id}
          onSubmit={submit}
          // What the service refused is being mended.
          onInput={() => error !== null && reset()}
          noValidate
          className="grid gap-5"
        >
          {draft !== undefined && <RestoredNote draft={draft} />}
          {children(failure)}
          {failure !== null && failure.issues.length === 0 && (
            <Failure message={failure.message} request_id={failure.request_id} />
          )}
        </form>
      ) : (
        <div className="grid gap-4">
          {data.old_expires_at !== undefined && (
            <Notice tone="warn" title={texts.old_ends}>
              <Time at={data.old_expires_at} />
            </Notice>
          )}
          <CreatedKey created={data} />
        </div>
      )}
    </Dialog>
  );
}

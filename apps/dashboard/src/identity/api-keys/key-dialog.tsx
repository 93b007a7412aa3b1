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
  const form_id = useId();
  const { submit, reset, close, is_running, created, failure } = useKeyCreation({
    open,
    onClose,
    run,
    draft,
  });
  const cancel = () => {
    draft?.clear();
    close();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      locked={is_running || created !== undefined}
      shape={created === undefined ? "middle" : "wide"}
      title={created === undefined ? title : texts.created_title}
      actions={
        created === undefined ? (
          <>
            <Button onClick={cancel} disabled={is_running}>
              {texts.cancel}
            </Button>
            <Button look="solid" type="submit" form={form_id} busy={is_running}>
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
      {created === undefined ? (
        <form
          key={draft?.key}
          {...(draft === undefined ? {} : { ref: draft.form })}
          id={form_id}
          onSubmit={submit}
          // The person is correcting the input that the service refused.
          onInput={() => failure !== null && reset()}
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
        <CreationResult created={created} />
      )}
    </Dialog>
  );
}

interface KeyCreation {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  reset: () => void;
  close: () => void;
  is_running: boolean;
  /** Undefined until the key exists. */
  created: Created | undefined;
  failure: Failed | null;
}

/** Creates one key at a time. The dialog stays open while it runs, because the key would be lost. */
function useKeyCreation({
  open,
  onClose,
  run,
  draft,
}: Pick<KeyDialogProps, "open" | "onClose" | "run"> & { draft: FormDraft | undefined }): KeyCreation {
  const { organization } = useSession();
  const client = useQueryClient();
  // The request is sent before `isPending` is rendered, and somebody may press Escape in between.
  const is_sent = useRef(false);
  const { mutate, isPending, data, error, reset } = useMutation({
    mutationFn: run,
    // The key itself is nowhere but in this dialog.
    gcTime: 0,
    onSuccess: () => {
      draft?.clear();
      return client.invalidateQueries({ queryKey: [organization.id, API_KEYS] });
    },
    onSettled: () => {
      is_sent.current = false;
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  return {
    submit: (event) => {
      event.preventDefault();
      if (is_sent.current) return;
      is_sent.current = true;
      mutate(new FormData(event.currentTarget));
    },
    reset,
    close: () => {
      if (is_sent.current) return;
      reset();
      onClose();
    },
    is_running: isPending,
    created: data,
    failure: error === null ? null : failureOf(error),
  };
}

/** The key, and the end of the one that it replaces. */
function CreationResult({ created }: { created: Created }) {
  return (
    <div className="grid gap-4">
      {created.old_expires_at !== undefined && (
        <Notice tone="warn" title={texts.old_ends}>
          <Time at={created.old_expires_at} />
        </Notice>
      )}
      <CreatedKey created={created} />
    </div>
  );
}

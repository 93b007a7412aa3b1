import type { EventType } from "@findersfee/contract/webhooks/events";
import { Button } from "@findersfee/ui/components/button";
import { Checkbox, RadioField, TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { type Failure as Failed, failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import { focusChoice } from "../../forms/focus-choice.ts";
import { type FormDraft, useDraft } from "../../forms/use-draft.ts";
import { useSession } from "../../session/session.tsx";
import { EVENT_TYPES } from "./event-types.ts";
import type { Endpoint } from "./queries.ts";
import { texts } from "./texts.ts";

interface Values {
  url: string;
  description: string;
  event_types: EventType[] | null;
}

export interface EndpointDialogProps {
  /** Null: a new one. */
  endpoint: Endpoint | null;
  open: boolean;
  onClose: () => void;
  onSaved?: (endpoint: Endpoint) => void;
}

/** Adds or changes an endpoint. The service validates the URL. */
export function EndpointDialog({ endpoint, open, onClose, onSaved }: EndpointDialogProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const form_id = useId();
  const draft = useDraft(
    `endpoint ${endpoint?.id ?? "new"}`,
    endpoint === null ? undefined : savedTexts(endpoint),
  );
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (values: Values): Promise<Endpoint> =>
      endpoint === null
        ? await api.dashboard.endpoints.create.mutate(values)
        : await api.dashboard.endpoints.update.mutate({
            id: endpoint.id,
            ...changedOf(values, draft),
          }),
    onSuccess: async (saved) => {
      draft.clear();
      onClose();
      toast({ text: endpoint === null ? texts.added : texts.saved });
      await client.invalidateQueries({ queryKey: [organization.id, "endpoints"] });
      onSaved?.(saved);
    },
  });
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const cancel = () => {
    draft.clear();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={endpoint === null ? texts.add_title : texts.edit_title}
      actions={
        <>
          <Button onClick={cancel}>{texts.cancel}</Button>
          <Button look="solid" type="submit" form={form_id} busy={isPending}>
            {endpoint === null ? texts.add : texts.save}
          </Button>
        </>
      }
    >
      <EndpointForm
        key={draft.key}
        id={form_id}
        draft={draft}
        endpoint={endpoint}
        failure={error === null ? null : failureOf(error)}
        onSubmit={mutate}
      />
    </Dialog>
  );
}

/** The values of a saved endpoint, by the names of their controls. */
function savedTexts({ url, description, event_types }: Endpoint): SavedTexts {
  const saved: Record<string, string> = { url, description, which: event_types === null ? "all" : "some" };
  return (field) => {
    if (saved[field] !== undefined) return [saved[field]];
    return EVENT_TYPES.some((type) => type === field && event_types?.includes(type)) ? ["on"] : [];
  };
}

/** The fields that the person changed. The others may be older than the saved ones. */
function changedOf({ event_types, ...values }: Values, draft: FormDraft): Partial<Values> {
  const has_types = ["which", ...EVENT_TYPES].some(draft.isChanged);
  return { ...draft.changedOf(values), ...(has_types ? { event_types } : {}) };
}

interface EndpointFormProps {
  id: string;
  draft: FormDraft;
  endpoint: Endpoint | null;
  failure: Failed | null;
  onSubmit: (values: Values) => void;
}

const FIELDS = ["url", "description", "event_types"];

function EndpointForm({ id, draft, endpoint, failure, onSubmit }: EndpointFormProps) {
  const [only_some, setOnlySome] = useState(endpoint !== null && endpoint.event_types !== null);
  const issueOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  const is_elsewhere = failure !== null && !failure.issues.some(({ path }) => FIELDS.includes(path));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (draft.conflicts.length > 0) return focusChoice();
    const form = new FormData(event.currentTarget);
    return onSubmit({
      url: String(form.get("url") ?? "").trim(),
      description: String(form.get("description") ?? ""),
      event_types: only_some ? EVENT_TYPES.filter((type) => form.has(type)) : null,
    });
  };
  const events_error = issueOf("event_types");
  return (
    <form ref={draft.form} id={id} onSubmit={submit} className="grid gap-5" noValidate>
      <DraftNotes draft={draft} />
      <TextField
        label={texts.url}
        name="url"
        type="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/webhooks"
        defaultValue={endpoint?.url ?? ""}
        hint={texts.url_hint}
        error={issueOf("url")}
      />
      <TextField
        label={texts.description}
        optional
        name="description"
        autoComplete="off"
        defaultValue={endpoint?.description ?? ""}
        hint={texts.description_hint}
        error={issueOf("description")}
      />
      <div>
        <RadioField
          label={texts.which_events}
          name="which"
          choices={[
            { value: "all", label: texts.all },
            { value: "some", label: texts.some },
          ]}
          chosen={only_some ? "some" : "all"}
          onChoose={(value) => setOnlySome(value === "some")}
          {...(events_error === undefined ? {} : { error: events_error })}
        />
        {only_some && (
          <div className="mt-1.5 grid gap-0.5 pl-[25px]">
            {EVENT_TYPES.map((type) => (
              <Checkbox
                key={type}
                name={type}
                label={type}
                defaultChecked={endpoint?.event_types?.includes(type) ?? false}
              />
            ))}
          </div>
        )}
      </div>
      {failure !== null && is_elsewhere && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
    </form>
  );
}

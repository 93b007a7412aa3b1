import { TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { useQueryClient } from "@tanstack/react-query";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { Canceled } from "../../requests/canceled.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "../form-texts.ts";
import { affiliateQuery, type Detail } from "../queries.ts";

const FIELDS = ["email", "first_name", "last_name", "payout_email", "note"] as const;

/** What the controls show of a saved affiliate. */
function savedTexts(affiliate: Detail["affiliate"]): SavedTexts {
  return (name) => {
    const field = FIELDS.find((known) => known === name);
    return field === undefined ? undefined : [affiliate[field] ?? ""];
  };
}

export interface EditDialogProps {
  affiliate: Detail["affiliate"];
  onClose: () => void;
}

/** Changes an affiliate's person and note. */
export function EditDialog({ affiliate, onClose }: EditDialogProps) {
  const session = useSession();
  const { api } = session;
  const client = useQueryClient();
  const draft = useDraft(`affiliate ${affiliate.id}`, savedTexts(affiliate));
  const run = async (form: FormData) => {
    const now = await client.fetchQuery({ ...affiliateQuery(session, affiliate.id), staleTime: 0 });
    if (!draft.agreesWith(savedTexts(now.affiliate))) throw new Canceled();
    const written = (name: string) => String(form.get(name) ?? "").trim();
    const sent = {
      email: written("email"),
      first_name: written("first_name"),
      last_name: written("last_name"),
      payout_email: written("payout_email") || null,
      note: written("note") || null,
    };
    return await api.affiliates.update.mutate({ id: affiliate.id, ...draft.changedOf(sent) });
  };
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={texts.edit_title}
      confirm={texts.save}
      done={texts.saved}
      changes="affiliates"
      fields={FIELDS}
      run={run}
      draft={draft}
    >
      {(errorOf) => (
        <>
          <DraftNotes draft={draft} />
          <TextField
            label={texts.email}
            name="email"
            type="email"
            autoComplete="off"
            defaultValue={affiliate.email}
            error={errorOf("email")}
          />
          <div className="grid gap-4 wide:grid-cols-2">
            <TextField
              label={texts.first_name}
              name="first_name"
              optional
              autoComplete="off"
              defaultValue={affiliate.first_name}
              error={errorOf("first_name")}
            />
            <TextField
              label={texts.last_name}
              name="last_name"
              optional
              autoComplete="off"
              defaultValue={affiliate.last_name}
              error={errorOf("last_name")}
            />
          </div>
          <TextField
            label={texts.payout_email}
            name="payout_email"
            type="email"
            optional
            autoComplete="off"
            hint={texts.payout_email_hint}
            defaultValue={affiliate.payout_email ?? ""}
            error={errorOf("payout_email")}
          />
          <TextAreaField
            label={texts.note}
            name="note"
            optional
            maxLength={10_000}
            hint={texts.note_hint}
            defaultValue={affiliate.note ?? ""}
            error={errorOf("note")}
          />
        </>
      )}
    </OrganizationDialog>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { Canceled } from "../../requests/canceled.ts";
import { useSession } from "../../session/session.tsx";
import { AffiliateFields } from "../affiliate-fields.tsx";
import { form_fields, shownText, writtenIn } from "../fields.ts";
import { texts } from "../form-texts.ts";
import { affiliateQuery, type Detail } from "../queries.ts";

/** The texts of the controls for a saved affiliate. */
function savedTexts(affiliate: Detail["affiliate"]): SavedTexts {
  return (name) => {
    const field = form_fields.find((known) => known === name);
    return field === undefined ? undefined : [shownText(affiliate, field)];
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
    return await api.affiliates.update.mutate({ id: affiliate.id, ...draft.changedOf(writtenIn(form)) });
  };
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={texts.edit_title}
      confirm={texts.save}
      done={texts.saved}
      changes="affiliates"
      fields={form_fields}
      run={run}
      draft={draft}
    >
      {(errorOf) => (
        <>
          <DraftNotes draft={draft} />
          <AffiliateFields affiliate={affiliate} errorOf={errorOf} />
        </>
      )}
    </OrganizationDialog>
  );
}

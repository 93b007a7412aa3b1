import { TextField } from "@findersfee/ui/components/controls";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useQuery } from "@tanstack/react-query";
import { issueOfList } from "../campaigns/rules/issue-of-list.ts";
import { OrganizationDialog } from "../dialogs/organization-dialog.tsx";
import { BULK_PART } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import { tagsIn } from "./fields.ts";
import { tagsQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { useBulkOfAffiliates } from "./use-bulk-of-affiliates.ts";

/** Adds tags to affiliates, and removes others. */
export function TagDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const session = useSession();
  const toast = useToast();
  const inBulk = useBulkOfAffiliates();
  const { affiliates } = session.api.dashboard;
  const { data } = useQuery(tagsQuery(session));
  const known = data?.tags ?? [];
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={texts.tag_title(ids.length)}
      confirm={texts.tag_confirm}
      changes="affiliates"
      fields={["add", "remove"].flatMap((name) => [name, ...TAG_PATHS.map((path) => `${name}${path}`)])}
      run={async (form) => {
        const change = {
          add: tagsIn(String(form.get("add"))),
          remove: tagsIn(String(form.get("remove"))),
        };
        if (ids.length <= BULK_PART) return await affiliates.tag.mutate({ ids: [...ids], ...change });
        inBulk(ids, {
          title: texts.tag_title(ids.length),
          confirm: null,
          send: (part) => affiliates.tag.mutate({ ids: part, ...change }),
        });
        return null;
      }}
      onDone={(tagged) => tagged !== null && toast({ text: texts.tagged(tagged.changed) })}
    >
      {(errorOf) => (
        <>
          <TextField
            label={texts.tags_to_add}
            name="add"
            optional
            autoComplete="off"
            hint={texts.tags_hint}
            error={issueOfList("add", errorOf)}
          />
          <TextField
            label={texts.tags_to_remove}
            name="remove"
            optional
            autoComplete="off"
            error={issueOfList("remove", errorOf)}
          />
          {known.length > 0 && (
            <p className="text-table text-muted">
              {texts.known_tags} <bdi>{known.slice(0, MOST_SHOWN).join(", ")}</bdi>
            </p>
          )}
          <p className="text-table text-muted">{texts.tags_count_for}</p>
        </>
      )}
    </OrganizationDialog>
  );
}

const MOST_SHOWN = 20;
const TAG_PATHS = Array.from({ length: MOST_SHOWN }, (_, index) => `[${index}]`);

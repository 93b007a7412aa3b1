import { SelectField } from "@findersfee/ui/components/controls";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useQuery } from "@tanstack/react-query";
import { campaignsQuery } from "../campaigns/queries.ts";
import { OrganizationDialog } from "../dialogs/organization-dialog.tsx";
import { BULK_PART } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";
import { useBulkOfAffiliates } from "./use-bulk-of-affiliates.ts";

/** Moves affiliates to another campaign. */
export function MoveDialog({
  ids,
  open,
  onClose,
}: {
  ids: readonly string[];
  open: boolean;
  onClose: () => void;
}) {
  const session = useSession();
  const toast = useToast();
  const inBulk = useBulkOfAffiliates();
  const { affiliates } = session.api.dashboard;
  const { data: campaigns } = useQuery({ ...campaignsQuery(session), enabled: open });
  return (
    <OrganizationDialog
      open={open}
      onClose={onClose}
      title={texts.move_title(ids.length)}
      confirm={texts.move_confirm}
      changes="affiliates"
      run={async (form) => {
        const campaign_id = String(form.get("campaign_id"));
        if (ids.length <= BULK_PART) return await affiliates.move.mutate({ ids: [...ids], campaign_id });
        inBulk(ids, {
          title: texts.move_title(ids.length),
          confirm: null,
          send: (part) => affiliates.move.mutate({ ids: part, campaign_id }),
        });
        return null;
      }}
      onDone={(moved) => moved !== null && toast({ text: texts.moved(moved.changed) })}
    >
      <SelectField label={texts.move_to} name="campaign_id" hint={texts.move_hint}>
        {campaigns?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </OrganizationDialog>
  );
}

import { SelectField } from "@findersfee/ui/components/controls";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useQuery } from "@tanstack/react-query";
import { campaignsQuery } from "../campaigns/queries.ts";
import { OrganizationDialog } from "../dialogs/organization-dialog.tsx";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

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
  const { data: campaigns } = useQuery({ ...campaignsQuery(session), enabled: open });
  return (
    <OrganizationDialog
      open={open}
      onClose={onClose}
      title={texts.move_title(ids.length)}
      confirm={texts.move_confirm}
      changes="affiliates"
      run={(form) =>
        session.api.dashboard.affiliates.move.mutate({
          ids: [...ids],
          campaign_id: String(form.get("campaign_id")),
        })
      }
      onDone={({ changed }) => toast({ text: texts.moved(changed) })}
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

import { Checkbox, SelectField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import { shortUrl } from "./address.ts";
import type { EndpointRow } from "./queries.ts";
import { texts } from "./texts.ts";

export interface EndpointDialogsProps {
  endpoint: EndpointRow;
  open: boolean;
  onClose: () => void;
}

/** Enables an endpoint, and sends the events that it missed. */
export function EnableDialog({ endpoint: { id }, ...rest }: EndpointDialogsProps) {
  const { api } = useSession();
  return (
    <OrganizationDialog
      changes="endpoints"
      {...rest}
      title={texts.enable_title}
      confirm={texts.enable_now}
      done={texts.enabled}
      run={(form) => api.dashboard.endpoints.enable.mutate({ id, replay_missed: form.has("replay_missed") })}
    >
      <Checkbox name="replay_missed" label={texts.also_missed} hint={texts.also_missed_hint} defaultChecked />
    </OrganizationDialog>
  );
}

/** Replaces the signing secret; the former one stays valid for a while. */
export function RotateDialog({ endpoint: { id }, ...rest }: EndpointDialogsProps) {
  const { api } = useSession();
  return (
    <OrganizationDialog
      changes="endpoints"
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
    </OrganizationDialog>
  );
}

/** Deletes an endpoint, which cannot be undone. */
export function DeleteDialog({ endpoint: { id, url, health }, ...rest }: EndpointDialogsProps) {
  const { api, home } = useSession();
  const { navigate } = useNavigation();
  const waiting = health?.pending ?? 0;
  return (
    <OrganizationDialog
      changes="endpoints"
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
    </OrganizationDialog>
  );
}

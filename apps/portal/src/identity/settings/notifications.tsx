import { Checkbox } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { Done } from "./done.tsx";
import { type Settings, settingsQuery } from "./queries.ts";
import { useAction } from "./use-action.ts";

/** The same setting as the link at the end of these emails. */
export function Notifications({ settings: { new_paid_referral_notifications } }: { settings: Settings }) {
  const { settings } = useTexts();
  const { program, api } = useSession();
  const client = useQueryClient();
  const { run, busy, failure, is_done } = useAction(async (is_on: boolean) => {
    const changed = await api.settings.update.mutate({ new_paid_referral_notifications: is_on });
    client.setQueryData(settingsQuery(api, program.affiliate_id).queryKey, changed);
  });
  return (
    <Section title={settings.notifications} hint={settings.notifications_hint}>
      <Checkbox
        label={settings.new_paid_referral}
        hint={settings.new_paid_referral_hint}
        checked={busy ? !new_paid_referral_notifications : new_paid_referral_notifications}
        aria-busy={busy}
        onChange={(event) => void run(event.target.checked)}
      />
      <FormFailure failure={failure} />
      <Done text={is_done ? settings.saved : null} />
    </Section>
  );
}

import { Button } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { fieldFailures } from "../../forms/field-failures.ts";
import { settingsKey } from "../../organizations/settings/queries.ts";
import { useSession } from "../../session/session.tsx";
import { useSensitive } from "../account/sensitive.tsx";
import { type SingleSignOn, useChange } from "./queries.ts";
import { texts } from "./texts.ts";

interface UseProps {
  provider: NonNullable<SingleSignOn["provider"]>;
  domains: SingleSignOn["domains"];
}

/** Whether members must use the provider, and the end of it. */
export function UseSection({ provider: { is_required, used_at }, domains }: UseProps) {
  const { mutate, isPending, error } = useChange((api, required: boolean) =>
    api.require.mutate({ is_required: required }),
  );
  const { errorOf, failure } = fieldFailures(error, ["is_required"]);
  const message = errorOf("is_required") ?? failure?.message;
  const is_ready = used_at !== null && domains.some(({ proven_at }) => proven_at !== null);
  return (
    <Section title={texts.use} hint={texts.required_hint}>
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {texts.required}{" "}
          <State tone={is_required ? "done" : "none"}>
            {is_required ? texts.is_required : texts.is_optional}
          </State>
        </p>
        {!is_required && !is_ready && <p className="text-table text-muted">{texts.first}</p>}
        {message !== undefined && <Failure message={message} request_id={failure?.request_id} />}
        <div className="flex flex-wrap gap-2">
          <Button busy={isPending} disabled={!is_required && !is_ready} onClick={() => mutate(!is_required)}>
            {is_required ? texts.not_required : texts.require}
          </Button>
          <Disconnect />
        </div>
      </div>
    </Section>
  );
}

function Disconnect() {
  const session = useSession();
  const runSensitive = useSensitive();
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {texts.disconnect}
      </Button>
      <OrganizationDialog
        open={is_open}
        onClose={() => setOpen(false)}
        title={texts.disconnect_title}
        confirm={texts.disconnect}
        look="danger"
        changes={settingsKey(session)[1] ?? ""}
        run={() => runSensitive(() => session.api.dashboard.single_sign_on.remove.mutate({}))}
      >
        <p>{texts.disconnect_text}</p>
      </OrganizationDialog>
    </>
  );
}

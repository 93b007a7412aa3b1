import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { Done } from "./done.tsx";
import { type Settings, settingsQuery } from "./queries.ts";
import { useAction } from "./use-action.ts";

const LONGEST_NAME = 100;

export function Names({ settings: { first_name, last_name } }: { settings: Settings }) {
  const { settings } = useTexts();
  const { program, api } = useSession();
  const client = useQueryClient();
  const { run, busy, failure, is_done, reset } = useAction(async (names: Partial<Settings>) => {
    const changed = await api.settings.update.mutate(names);
    client.setQueryData(settingsQuery(api, program.affiliate_id).queryKey, changed);
    await client.invalidateQueries({ queryKey: ["program"] });
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void run({ first_name: String(fields.get("first_name")), last_name: String(fields.get("last_name")) });
  };
  return (
    <Section title={settings.names} hint={settings.names_hint}>
      <form onSubmit={submit} onChange={reset} className="grid gap-5">
        <div className="grid gap-5 tablet:grid-cols-2">
          <TextField
            label={settings.first_name}
            name="first_name"
            defaultValue={first_name}
            maxLength={LONGEST_NAME}
            autoComplete="given-name"
          />
          <TextField
            label={settings.last_name}
            name="last_name"
            defaultValue={last_name}
            maxLength={LONGEST_NAME}
            autoComplete="family-name"
          />
        </div>
        <FormFailure failure={failure} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={busy}>
            {settings.save}
          </Button>
          <Done text={is_done ? settings.saved : null} />
        </div>
      </form>
    </Section>
  );
}

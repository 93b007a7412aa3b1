import { Button } from "@findersfee/ui/components/button";
import { SelectField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { Done } from "./done.tsx";
import { type Settings, settingsQuery } from "./queries.ts";
import { useAction } from "./use-action.ts";

const CURRENCIES = Intl.supportedValuesOf("currency");

/** The currency that the affiliate is paid in, where the organization lets it choose. */
export function PayoutCurrency({ settings: { payout_currency } }: { settings: Settings }) {
  const { settings } = useTexts();
  const { program, api } = useSession();
  const client = useQueryClient();
  const { run, busy, failure, is_done, reset } = useAction(async (chosen: string | null) => {
    const changed = await api.settings.update.mutate({ payout_currency: chosen });
    client.setQueryData(settingsQuery(api, program.affiliate_id).queryKey, changed);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = String(new FormData(event.currentTarget).get("payout_currency"));
    void run(chosen === "" ? null : chosen);
  };
  return (
    <Section title={settings.payout_currency} hint={settings.payout_currency_hint}>
      <form onSubmit={submit} onChange={reset} className="grid gap-5">
        <SelectField
          label={settings.payout_currency}
          name="payout_currency"
          defaultValue={payout_currency ?? ""}
        >
          <option value="">{settings.each_currency}</option>
          {CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
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

import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import { currency_texts as texts } from "./currency-texts.ts";
import { settingsKey } from "./queries.ts";

const CURRENCIES = Intl.supportedValuesOf("currency").filter((code) => code !== "EUR");

/** A rate that the organization enters, for a currency that the service has none of. */
export function RateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const session = useSession();
  const run = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    return await session.api.dashboard.exchange_rates.create.mutate({
      currency: text("currency"),
      day: text("day"),
      rate: text("rate"),
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.add_rate}
      confirm={texts.add}
      done={texts.added}
      changes={settingsKey(session)}
      run={run}
      fields={["currency", "day", "rate"]}
    >
      {(errorOf) => (
        <div className="grid gap-4">
          <SelectField label={texts.currency} name="currency" error={errorOf("currency")}>
            {CURRENCIES.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </SelectField>
          <TextField
            label={texts.rate}
            name="rate"
            inputMode="decimal"
            dir="ltr"
            autoComplete="off"
            placeholder="3.9705"
            hint={texts.rate_hint}
            error={errorOf("rate")}
          />
          <TextField
            label={texts.day}
            name="day"
            type="date"
            max={new Date().toISOString().slice(0, 10)}
            defaultValue={new Date().toISOString().slice(0, 10)}
            hint={texts.day_hint}
            error={errorOf("day")}
          />
        </div>
      )}
    </FormDialog>
  );
}

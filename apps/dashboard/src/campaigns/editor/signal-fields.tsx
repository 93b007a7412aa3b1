import { SelectField, TextAreaField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import type { DraftFormProps } from "./draft.ts";
import { NO_SIGNALS, type SignalsDraft } from "./signal-draft.ts";
import { signal_texts as texts } from "./signal-texts.ts";

type SignalName = keyof typeof texts.names;

/** A campaign's actions for signs of fraud. */
export function SignalFields({ draft, set, issueOf }: DraftFormProps) {
  const { signals = NO_SIGNALS, review } = draft;
  const change = (part: Partial<SignalsDraft>) => set({ signals: { ...signals, ...part } });
  const flags = Object.values(signals).includes("flag") && review !== "flagged" && review !== "all";
  return (
    <FieldGroup title={texts.title} hint={texts.hint}>
      {Object.entries(texts.names).map(([signal, label]) => (
        <SelectField
          key={signal}
          label={label}
          value={signals[signal as SignalName]}
          onChange={({ target }) => change({ [signal]: target.value })}
        >
          {Object.entries(texts.settings).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      ))}
      {signals.listed_referrer !== "off" && (
        <TextAreaField
          label={texts.referrers}
          hint={texts.referrers_hint}
          dir="ltr"
          spellCheck={false}
          value={signals.referrers}
          onChange={({ target }) => change({ referrers: target.value })}
          error={issueOf("signals.referrers")}
        />
      )}
      {flags && <p className="text-muted">{texts.flag_hint}</p>}
    </FieldGroup>
  );
}

import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import type { DraftFormProps } from "./draft.ts";

const texts = {
  title: "Recruits",
  on: "Affiliates get a part of the commissions of affiliates whom they recruit",
  hint: "They recruit by a link in the portal. A recruit keeps the terms of the day on which it joined.",
  percent: "Part of each commission",
  months: "For payments of the first",
  months_suffix: "months",
};

/** The share that affiliates get of their recruits' commissions. */
export function RecruitingFields({ draft, set, issueOf }: DraftFormProps) {
  const { recruiting = null } = draft;
  return (
    <FieldGroup title={texts.title}>
      <Checkbox
        label={texts.on}
        hint={texts.hint}
        checked={recruiting !== null}
        onChange={({ target }) =>
          set({ recruiting: target.checked ? { percent: "10", months: "12" } : null })
        }
      />
      {recruiting !== null && (
        <div className="grid grid-cols-2 items-start gap-3 max-phone:grid-cols-1">
          <TextField
            label={texts.percent}
            inputMode="decimal"
            autoComplete="off"
            value={recruiting.percent}
            onChange={({ target }) => set({ recruiting: { ...recruiting, percent: target.value } })}
            suffix="%"
            error={issueOf("recruiting.percent")}
          />
          <TextField
            label={texts.months}
            inputMode="numeric"
            autoComplete="off"
            value={recruiting.months}
            onChange={({ target }) => set({ recruiting: { ...recruiting, months: target.value } })}
            suffix={texts.months_suffix}
            error={issueOf("recruiting.months")}
          />
        </div>
      )}
    </FieldGroup>
  );
}

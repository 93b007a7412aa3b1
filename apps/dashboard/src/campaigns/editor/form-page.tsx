import { Card } from "@findersfee/ui/components/card";
import { Checkbox, SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup, Optional } from "@findersfee/ui/components/field";
import { Beside } from "./beside.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { type CampaignDraft, type FieldDraft, hasOptions } from "./draft.ts";
import { texts } from "./form-texts.ts";
import { useEditor } from "./use-editor.ts";

/** The questions of the application form. */
export function FormPage() {
  const { draft, set, issueOf } = useEditor();
  return (
    <Beside preview={<FormPreview draft={draft} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <FieldGroup title={texts.questions} hint={texts.questions_hint}>
          <CustomFields fields={draft.fields} onChange={(fields) => set({ fields })} issueOf={issueOf} />
        </FieldGroup>
        <FieldGroup title={texts.details}>
          <Checkbox
            label={texts.collect_details}
            checked={draft.collect_details}
            onChange={({ target }) => set({ collect_details: target.checked })}
          />
          {draft.collect_details && (
            <TextAreaField
              label={texts.details_text}
              optional
              value={draft.details_text}
              onChange={({ target }) => set({ details_text: target.value })}
              error={issueOf("details_text")}
            />
          )}
        </FieldGroup>
      </div>
    </Beside>
  );
}

/** The form as people see it who want to join. It sends nothing. */
function FormPreview({ draft }: { draft: CampaignDraft }) {
  return (
    <Card title={texts.preview}>
      <div inert className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p dir="auto" className="text-lead font-semibold [overflow-wrap:anywhere]">
          {texts.preview_join(draft.name)}
        </p>
        <div className="grid grid-cols-2 gap-3">
          <TextField label={texts.first_name} />
          <TextField label={texts.last_name} />
        </div>
        <TextField label={texts.email} />
        {draft.fields.map((field) => (
          <PreviewField key={field.key} field={field} />
        ))}
        {draft.collect_details && (
          <TextAreaField label={draft.details_text.trim() || texts.details} optional />
        )}
      </div>
    </Card>
  );
}

function PreviewField({ field: { label, type, options, required } }: { field: FieldDraft }) {
  const shared = { label: label.trim() || texts.question, optional: !required };
  if (type === "textarea") return <TextAreaField {...shared} />;
  if (!hasOptions(type)) return <TextField {...shared} />;
  const choices = [...new Set(options.split("\n").map((line) => line.trim()))].filter(Boolean);
  if (type === "select") {
    return (
      <SelectField {...shared}>
        <option value="">{texts.choose}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </SelectField>
    );
  }
  return (
    <fieldset>
      <legend className="mb-1 text-table font-medium">
        {shared.label}
        {shared.optional && <Optional />}
      </legend>
      {choices.map((choice) => (
        <Checkbox key={choice} label={choice} />
      ))}
    </fieldset>
  );
}

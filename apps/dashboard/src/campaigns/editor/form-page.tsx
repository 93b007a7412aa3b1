import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { Card } from "@findersfee/ui/components/card";
import { Checkbox, SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup, Optional } from "@findersfee/ui/components/field";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { texts as shell_texts } from "../../shell/texts.ts";
import { Beside } from "./beside.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { type CampaignDraft, hasOptions } from "./draft.ts";
import { texts } from "./form-texts.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { missingOfForm, type ShownQuestion, shownTexts } from "./shown-texts.ts";
import { useEditor } from "./use-editor.ts";

/** Loaded once a person chooses another language. */
const TranslatedForm = lazyPart(() => import("./translated-form.tsx"), "TranslatedForm");

/** The questions of the application form. */
export function FormPage() {
  const { draft, shown } = useEditor();
  const { language } = shown;
  return (
    <Beside preview={<FormPreview draft={draft} language={language} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <LanguageSwitch shown={shown} missing={language === null ? 0 : missingOfForm(draft, language)} />
        {language === null ? (
          <OwnForm />
        ) : (
          <Suspense fallback={<SkeletonRows rows={3} label={shell_texts.loading} />}>
            <TranslatedForm key={language} language={language} />
          </Suspense>
        )}
      </div>
    </Beside>
  );
}

/** The questions in the campaign's own texts. */
function OwnForm() {
  const { draft, set, issueOf } = useEditor();
  return (
    <>
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
    </>
  );
}

/** The form as people see it who want to join. It sends nothing. */
function FormPreview({ draft, language }: { draft: CampaignDraft; language: PortalLanguage | null }) {
  const { name, questions, details_text } = shownTexts(draft, language);
  return (
    <Card title={texts.preview}>
      <div inert className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p dir="auto" className="text-lead font-semibold [overflow-wrap:anywhere]">
          {texts.preview_join(name)}
        </p>
        <div className="grid grid-cols-2 gap-3">
          <TextField label={texts.first_name} />
          <TextField label={texts.last_name} />
        </div>
        <TextField label={texts.email} />
        {questions.map((question) => (
          <PreviewField key={question.key} question={question} />
        ))}
        {draft.collect_details && <TextAreaField label={details_text.trim() || texts.details} optional />}
      </div>
    </Card>
  );
}

function PreviewField({ question: { label, type, choices, required } }: { question: ShownQuestion }) {
  const shared = { label: label || texts.question, optional: !required };
  if (type === "textarea") return <TextAreaField {...shared} />;
  if (!hasOptions(type)) return <TextField {...shared} />;
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

import { questionIn } from "@findersfee/contract/campaigns/translations";
import { SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import type { ReactNode } from "react";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { ChoicesField } from "./choices-field.tsx";
import { type ApplicationForm, answerOf, pathOf, type Question } from "./draft.ts";
import type { ApplicationDraft } from "./empty.ts";
import type { ErrorOf } from "./errors.ts";

interface ApplicationFieldsProps {
  form: ApplicationForm;
  draft: ApplicationDraft;
  set: (part: Partial<ApplicationDraft>) => void;
  errorOf: ErrorOf;
  /** Between the names and the questions. */
  children?: ReactNode;
}

/** The fields of an application, for those who send it and those who edit it. */
export function ApplicationFields({ form, draft, set, errorOf, children }: ApplicationFieldsProps) {
  const { language, texts } = useLanguage();
  const { join } = texts;
  const { collect_details, custom_fields } = form;
  const translation = form.translations[language];
  const details_text = translation?.details_text ?? form.details_text;
  return (
    <>
      <div className="grid items-start gap-5 tablet:grid-cols-2 tablet:gap-3">
        <TextField
          label={join.first_name}
          name="first_name"
          autoComplete="given-name"
          required
          value={draft.first_name}
          onChange={({ target }) => set({ first_name: target.value })}
          error={errorOf("first_name")}
        />
        <TextField
          label={join.last_name}
          name="last_name"
          autoComplete="family-name"
          optional
          value={draft.last_name}
          onChange={({ target }) => set({ last_name: target.value })}
          error={errorOf("last_name")}
        />
      </div>
      {children}
      {custom_fields.map((question, index) => (
        <QuestionField
          key={question.id}
          question={questionIn(question, translation)}
          answer={answerOf(draft, question)}
          onChange={(answer) => set({ answers: { ...draft.answers, [question.id]: answer } })}
          error={errorOf(pathOf(index))}
        />
      ))}
      {collect_details && (
        <TextAreaField
          label={details_text?.trim() || join.details}
          optional
          value={draft.details}
          onChange={({ target }) => set({ details: target.value })}
          error={errorOf("details")}
        />
      )}
    </>
  );
}

interface QuestionFieldProps {
  question: Question & { option_labels: string[] };
  answer: string | string[];
  onChange: (answer: string | string[]) => void;
  error: string | undefined;
}

function QuestionField({
  question: { label, type, options, option_labels, required },
  answer,
  onChange,
  error,
}: QuestionFieldProps) {
  const { join } = useTexts();
  const shared = { label, error, required, optional: !required };
  const typed = { value: String(answer) };
  switch (type) {
    case "text":
      return <TextField {...shared} {...typed} onChange={({ target }) => onChange(target.value)} />;
    case "textarea":
      return <TextAreaField {...shared} {...typed} onChange={({ target }) => onChange(target.value)} />;
    case "select":
      return (
        <SelectField {...shared} {...typed} onChange={({ target }) => onChange(target.value)}>
          <option value="">{join.choose}</option>
          {options.map((option, index) => (
            <option key={option} value={option}>
              {option_labels[index]}
            </option>
          ))}
        </SelectField>
      );
    case "multi_select":
      return (
        <ChoicesField
          {...shared}
          options={options}
          option_labels={option_labels}
          chosen={[answer].flat()}
          onChange={onChange}
        />
      );
  }
}

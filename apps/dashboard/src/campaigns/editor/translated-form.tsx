import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { choicesOf, type FieldDraft, settingsOf } from "./draft.ts";
import { texts as form_texts } from "./form-texts.ts";
import { translationIn } from "./shown-texts.ts";
import { TranslatedField } from "./translated-field.tsx";
import { EMPTY_QUESTION, type QuestionDraft } from "./translation-draft.ts";
import { texts } from "./translation-texts.ts";
import { useEditor } from "./use-editor.ts";
import { useTranslation } from "./use-translation.ts";

/** The texts of the form in another language. Questions are added, moved and deleted in the campaign's own texts. */
export function TranslatedForm({ language }: { language: PortalLanguage }) {
  const { draft, issueOf } = useEditor();
  const setTranslation = useTranslation(language);
  const { questions, details_text } = translationIn(draft, language);
  const { custom_fields, translations } = settingsOf(draft);
  const sent = translations[language]?.custom_fields ?? [];
  if (draft.fields.length === 0 && !draft.collect_details) {
    return <p className="text-muted">{texts.no_questions}</p>;
  }
  return (
    <>
      {draft.fields.length > 0 && (
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {draft.fields.map((field, index) => {
            // The service numbers the questions with translations.
            const place = sent.findIndex(({ id }) => id === custom_fields[index]?.id);
            return (
              <TranslatedQuestion
                key={field.key}
                field={field}
                number={index + 1}
                language={language}
                question={questions[field.key] ?? EMPTY_QUESTION}
                onChange={(question) =>
                  setTranslation({ questions: { ...questions, [field.key]: question } })
                }
                issueOf={(name) => issueOf(`translations.${language}.custom_fields[${place}].${name}`)}
              />
            );
          })}
        </ol>
      )}
      {draft.collect_details && (
        <TranslatedField
          label={form_texts.details_text}
          is_long
          language={language}
          own={draft.details_text}
          value={details_text}
          onChange={(value) => setTranslation({ details_text: value })}
          error={issueOf(`translations.${language}.details_text`)}
        />
      )}
    </>
  );
}

interface TranslatedQuestionProps {
  field: FieldDraft;
  number: number;
  language: PortalLanguage;
  question: QuestionDraft;
  onChange: (question: QuestionDraft) => void;
  issueOf: (name: string) => string | undefined;
}

function TranslatedQuestion({
  field,
  number,
  language,
  question,
  onChange,
  issueOf,
}: TranslatedQuestionProps) {
  const choices = [...new Set(choicesOf(field))];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-page p-3">
      <span className="text-table text-muted">{texts.question(number)}</span>
      <TranslatedField
        label={field.label.trim() || texts.unnamed}
        language={language}
        own={field.label}
        value={question.label}
        onChange={(label) => onChange({ ...question, label })}
        error={issueOf("label") ?? issueOf("id")}
      />
      {choices.length > 0 && (
        <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 border-l border-line pl-3">
          <legend className="sr-only">{`${field.label}: ${texts.choices}`}</legend>
          {choices.map((choice, index) => (
            <TranslatedField
              key={choice}
              label={choice}
              language={language}
              own={choice}
              value={question.options[choice] ?? ""}
              onChange={(text) => onChange({ ...question, options: { ...question.options, [choice]: text } })}
              error={issueOf(`options[${index}]`) ?? (index === 0 ? issueOf("options") : undefined)}
            />
          ))}
        </fieldset>
      )}
    </li>
  );
}

import { Section } from "@findersfee/ui/components/section";
import { useLanguage } from "../../language/language.tsx";
import type { Settings } from "./queries.ts";

/** The affiliate's answers when it joined; nothing if there were no questions. */
export function Answers({ settings: { custom_fields, details } }: { settings: Settings }) {
  const { language, texts } = useLanguage();
  const { settings } = texts;
  const answers = custom_fields.map(({ id, translations, ...answer }) => ({
    id,
    ...(translations[language] ?? answer),
  }));
  if (details !== null) answers.unshift({ id: "", label: settings.about_you, value: details });
  if (answers.length === 0) return null;
  return (
    <Section title={settings.answers} hint={settings.answers_hint}>
      <dl className="grid gap-4">
        {answers.map(({ id, label, value }) => (
          <div key={id} className="min-w-0">
            <dt dir="auto" className="line-clamp-3 text-left text-table text-muted">
              {label}
            </dt>
            <dd dir="auto" className="line-clamp-6 text-left whitespace-pre-wrap">
              {value === "" ? "–" : value}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

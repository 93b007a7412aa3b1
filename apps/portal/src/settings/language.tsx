import { RadioField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { LANGUAGES, useLanguage } from "../language/language.tsx";

const NAMES = { de: "Deutsch", en: "English" } as const;

/** The language of pages and mails: the same as in the header. */
export function Language() {
  const { language, setLanguage, texts } = useLanguage();
  const { settings, frame } = texts;
  return (
    <Section title={frame.language}>
      <RadioField
        label={settings.language_of}
        name="language"
        choices={LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
        chosen={language}
        onChoose={(value) => {
          const chosen = LANGUAGES.find((one) => one === value);
          if (chosen !== undefined) void setLanguage(chosen);
        }}
      />
    </Section>
  );
}

import { RadioField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { LANGUAGE_NAMES, LANGUAGES, useLanguage } from "../../language/language.tsx";
import { programLook } from "../../session/program-look.ts";
import { useSession } from "../../session/session.tsx";

/** The language of pages and mails, if the organization offers several: the same as in the header. */
export function Language() {
  const { language, setLanguage, texts } = useLanguage();
  const { me, program } = useSession();
  const { settings, frame } = texts;
  const offered = programLook(me, program)?.look.languages ?? LANGUAGES;
  if (offered.length < 2) return null;
  return (
    <Section title={frame.language}>
      <RadioField
        label={settings.language_of}
        name="language"
        choices={offered.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        chosen={language}
        onChoose={(value) => {
          const chosen = LANGUAGES.find((one) => one === value);
          if (chosen !== undefined) void setLanguage(chosen);
        }}
      />
    </Section>
  );
}

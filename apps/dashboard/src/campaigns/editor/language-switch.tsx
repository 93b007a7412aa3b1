import { Segments } from "@findersfee/ui/components/segments";
import { language_names } from "../../portal/language-names.ts";
import { texts } from "./translation-texts.ts";
import type { ShownLanguage } from "./use-editor.ts";

const OWN = "own";

/** Chooses the language of the texts that a page shows, and says how many of them are missing. Nothing, if there is one language. */
export function LanguageSwitch({
  shown: { own, further, language, show },
  missing,
}: {
  shown: ShownLanguage;
  /** How many texts are not translated. */
  missing: number;
}) {
  if (further.length === 0) return null;
  const segments = [
    { value: OWN, label: own === null ? texts.own : texts.own_in(language_names[own]) },
    ...further.map((value) => ({ value, label: language_names[value] })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Segments
        label={texts.language}
        segments={segments}
        chosen={language ?? OWN}
        onChoose={(value) => show(further.find((one) => one === value) ?? null)}
      />
      <p role="status" className="text-table text-muted empty:hidden">
        {language !== null && (missing === 0 ? texts.complete : texts.missing(missing))}
      </p>
    </div>
  );
}

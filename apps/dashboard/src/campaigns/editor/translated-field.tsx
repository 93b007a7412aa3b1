import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { texts } from "./translation-texts.ts";

interface TranslatedFieldProps {
  label: string;
  language: PortalLanguage;
  /** The text that affiliates read as long as it is not translated. */
  own: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  is_long?: boolean;
}

/** A text in another language, beside the campaign's own. */
export function TranslatedField({
  label,
  language,
  own,
  value,
  onChange,
  error,
  is_long,
}: TranslatedFieldProps) {
  const is_missing = value.trim() === "";
  const hint = own.trim() === "" ? texts.without_default : is_missing ? texts.not_translated : undefined;
  const shared = {
    label,
    lang: language,
    dir: "auto",
    placeholder: own,
    value,
    error,
    ...(hint === undefined ? {} : { hint }),
  };
  return is_long ? (
    <TextAreaField {...shared} onChange={({ target }) => onChange(target.value)} />
  ) : (
    <TextField {...shared} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
  );
}

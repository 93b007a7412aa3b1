import { useId } from "react";
import { useTexts } from "../../language/language.tsx";

/** Accepts the organization's terms, which the label links to. */
export function TermsField({
  url,
  accepted,
  onChange,
  error,
}: {
  url: string;
  accepted: boolean;
  onChange: (accepted: boolean) => void;
  error: string | undefined;
}) {
  const { join } = useTexts();
  const id = useId();
  return (
    <div className="grid gap-0.5">
      <label className="flex min-h-11 items-center gap-2.5">
        <input
          type="checkbox"
          name="accepted_terms"
          checked={accepted}
          onChange={({ target }) => onChange(target.checked)}
          required
          {...(error === undefined ? {} : { "aria-invalid": true, "aria-describedby": id })}
          className="size-[15px] shrink-0"
        />
        <span>
          {join.terms_before}
          <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
            {join.terms}
          </a>
          {join.terms_after}
        </span>
      </label>
      {error !== undefined && (
        <p id={id} className="text-table text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

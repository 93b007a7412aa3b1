import { SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { Link } from "@findersfee/ui/navigation";
import type { ErrorOf } from "../forms/field-failures.ts";
import { useSession } from "../session/session.tsx";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

interface SectionProps {
  settings: PortalSettings;
  errorOf: ErrorOf;
}

/** Pages of the organization's website that the portal links to. */
const PAGES = [
  { name: "terms_url", hint: texts.terms_hint },
  { name: "imprint_url", hint: texts.imprint_hint },
  { name: "privacy_url", hint: texts.privacy_hint },
] as const;

/** The languages, the legal pages and the address for questions. */
export function WordsSection({ settings: { look }, errorOf }: SectionProps) {
  const { home } = useSession();
  return (
    <Section title={texts.words} hint={texts.words_hint}>
      <SelectField
        label={texts.languages}
        name="languages"
        defaultValue={look.languages.join(",")}
        hint={texts.languages_hint}
        error={errorOf("languages")}
      >
        {Object.entries(texts.language_names).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      {PAGES.map(({ name, hint }) => (
        <TextField
          key={name}
          label={texts[name]}
          optional
          name={name}
          type="url"
          dir="ltr"
          autoComplete="off"
          defaultValue={look[name] ?? ""}
          hint={hint}
          error={errorOf(name)}
        />
      ))}
      <div className="grid gap-1 text-table">
        <p className="font-medium">{texts.help}</p>
        <p className="text-muted wrap-anywhere">{texts.help_hint(look.support_email)}</p>
        <p>
          <Link to={`${home}/settings/organization`} className="text-accent underline underline-offset-2">
            {texts.open_organization}
          </Link>
        </p>
      </div>
    </Section>
  );
}

const MAX_ORIGINS = 10;

/** The paths of issues with single origins. */
export const ORIGIN_PATHS = Array.from({ length: MAX_ORIGINS }, (_, at) => `frame_origins[${at}]`);

/** The pages that may show the portal inside. */
export function FramesSection({ settings: { frame_origins }, errorOf }: SectionProps) {
  const error =
    errorOf("frame_origins") ??
    ORIGIN_PATHS.map((path) => errorOf(path)).find((message) => message !== undefined);
  return (
    <Section title={texts.frames} hint={texts.frames_hint}>
      <TextAreaField
        label={texts.frame_origins}
        optional
        name="frame_origins"
        dir="ltr"
        spellCheck={false}
        defaultValue={frame_origins.join("\n")}
        hint={texts.frame_origins_hint}
        error={error}
      />
    </Section>
  );
}

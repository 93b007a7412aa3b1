import { TextAreaField, TextField } from "@findersfee/ui/components/controls";
import type { ReactNode } from "react";
import { type FormField, form_fields, wordsOf } from "./fields.ts";
import type { Detail } from "./queries.ts";

export interface AffiliateFieldsProps {
  /** The saved affiliate; undefined for a new one. */
  affiliate?: Detail["affiliate"];
  errorOf: (field: string) => string | undefined;
  /** Below the email. */
  email_hint?: ReactNode;
}

/** The controls of an affiliate's profile. */
export function AffiliateFields({ affiliate, errorOf, email_hint }: AffiliateFieldsProps) {
  return (
    <div className="grid gap-5 wide:grid-cols-2">
      {form_fields.map((name) => (
        <div key={name} className={isHalf(name) ? "" : "wide:col-span-2"}>
          <Control
            name={name}
            hint={name === "email" ? email_hint : wordsOf(name).hint}
            saved={affiliate?.[name] ?? ""}
            error={errorOf(name)}
          />
        </div>
      ))}
    </div>
  );
}

/** The names stand beside each other. */
function isHalf(name: FormField): boolean {
  return name === "first_name" || name === "last_name";
}

interface ControlProps {
  name: FormField;
  hint: ReactNode;
  saved: string;
  error: string | undefined;
}

function Control({ name, hint, saved, error }: ControlProps) {
  const { label, control } = wordsOf(name);
  const shared = { label, name, hint, error, defaultValue: saved, optional: name !== "email" };
  if (control === "area") return <TextAreaField {...shared} maxLength={10_000} />;
  return <TextField {...shared} type={control} autoComplete="off" />;
}

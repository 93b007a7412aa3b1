import { TextField } from "@findersfee/ui/components/controls";
import { PasswordField } from "@findersfee/ui/components/password-field";
import type { Submission } from "@findersfee/ui/forms/use-submit";
import { texts } from "./texts.ts";

type Errors = Pick<Submission, "errorOf">;

/** The name of a new account. */
export function NameField({ errorOf }: Errors) {
  return (
    <TextField
      label={texts.name}
      name="name"
      autoComplete="name"
      required
      autoFocus
      error={errorOf("name")}
    />
  );
}

/** The password of a new account, or a new one. */
export function NewPasswordField({
  errorOf,
  label = texts.password,
  autoFocus = false,
}: Errors & { label?: string; autoFocus?: boolean }) {
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      hint={texts.password_hint}
      minLength={12}
      required
      autoFocus={autoFocus}
      error={errorOf("password")}
    />
  );
}

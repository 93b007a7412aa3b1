import { emailIssue } from "@findersfee/contract/email-issue";
import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Notice } from "@findersfee/ui/components/notice";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { Link } from "@findersfee/ui/navigation";
import { type FormEvent, useRef, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useEntryLook } from "../../portal/look/entry-look.tsx";
import { interruption } from "../../session/return-path.ts";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { type RequestedCode, requestCode } from "./requested-code.ts";

/**
 * Asks for the address that the code is mailed to. The browser does not validate it, since its messages would
 * be in its own language.
 */
export function EmailStep({ onSent }: { onSent: (requested: RequestedCode) => void }) {
  const { sign_in } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<"email_missing" | "email_invalid" | null>(null);
  const { onSubmit, busy, failure, errorOf } = useSubmit(({ email = "" }) => requestCode(email), onSent);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const email = input.current?.value.trim() ?? "";
    const found = email === "" ? "email_missing" : emailIssue(email) === null ? null : "email_invalid";
    setProblem(found);
    if (found === null) onSubmit(event);
    else {
      event.preventDefault();
      input.current?.focus();
    }
  };
  const interrupted = interruption();
  const shown = problem ?? (errorOf("email") === undefined ? null : "email_invalid");
  return (
    <NarrowPage title={sign_in.title} hint={sign_in.hint}>
      {interrupted !== null && <Notice tone="info" title={sign_in[interrupted]} />}
      <form onSubmit={submit} noValidate className="grid gap-5">
        <TextField
          ref={input}
          label={sign_in.email}
          name="email"
          inputMode="email"
          autoComplete="email"
          required
          autoFocus
          error={shown === null ? undefined : sign_in[shown]}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {sign_in.send_code}
        </Button>
      </form>
      <JoinInstead />
    </NarrowPage>
  );
}

/** The way for those who have not joined. */
function JoinInstead() {
  const { sign_in } = useTexts();
  const entry = useEntryLook();
  if (entry === null || !entry.has_programs) return null;
  return (
    <p className="text-table text-muted">
      {sign_in.not_yet}{" "}
      <Link to={`/${entry.slug}`} className="inline-block py-3 text-ink underline underline-offset-2">
        {sign_in.see_programs}
      </Link>
    </p>
  );
}

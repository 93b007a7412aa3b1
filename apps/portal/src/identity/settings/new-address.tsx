import { emailIssue } from "@findersfee/contract/email-issue";
import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import type { Failure } from "@findersfee/ui/requests/failure";
import { type FormEvent, useRef, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import type { Texts } from "../../texts/texts.ts";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { useAction } from "./use-action.ts";

/** Asks for the new payout email, and has a code sent there. */
export function NewAddress({ onSent, onCancel }: { onSent: () => Promise<void>; onCancel: () => void }) {
  const { settings } = useTexts();
  const { api } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [is_invalid, setInvalid] = useState(false);
  const { run, busy, failure } = useAction(async (email: string) => {
    await api.settings.request_payout_email.mutate({ email });
    await onSent();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = input.current?.value.trim() ?? "";
    const is_wrong = emailIssue(email) !== null;
    setInvalid(is_wrong);
    if (is_wrong) input.current?.focus();
    else void run(email);
  };
  const error = is_invalid ? settings.address_invalid : refusalOf(failure, settings);
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField
        ref={input}
        label={settings.new_address}
        inputMode="email"
        autoComplete="email"
        autoFocus
        required
        error={error}
      />
      <FormFailure failure={error === undefined ? failure : null} />
      <div className="flex flex-wrap gap-3">
        <Button look="solid" type="submit" busy={busy}>
          {settings.send_code}
        </Button>
        <Button onClick={onCancel}>{settings.cancel}</Button>
      </div>
    </form>
  );
}

function refusalOf(failure: Failure | null, settings: Texts["settings"]): string | undefined {
  const [issue] = failure?.issues ?? [];
  if (issue === undefined) return undefined;
  return issue.message.includes("already") ? settings.address_same : settings.address_invalid;
}

import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import type { Failure } from "@findersfee/ui/requests/failure";
import { type FormEvent, useRef, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import type { Texts } from "../../texts/texts.ts";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { useAction } from "./use-action.ts";

const DIGITS = 6;

/** Takes the code that was mailed to the new payout email. */
export function PayoutCode({
  email,
  onConfirmed,
  onRefused,
  onOther,
  onCancel,
}: {
  /** Null: the code has expired, or the organization changed the address. */
  email: string | null;
  onConfirmed: () => Promise<void>;
  /** The stored address may be another one now. */
  onRefused: () => Promise<void>;
  onOther: () => void;
  onCancel: () => void;
}) {
  const { settings, sign_in } = useTexts();
  const { api } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const { run, busy, failure, reset } = useAction(async (sent: string) => {
    try {
      await api.settings.confirm_payout_email.mutate({ code: sent });
    } catch (error) {
      input.current?.select();
      await onRefused();
      throw error;
    }
    await onConfirmed();
  });
  const change = (typed: string) => {
    if (busy) return;
    const digits = typed.replaceAll(/\D/g, "").slice(0, DIGITS);
    reset();
    setCode(digits);
    if (digits.length === DIGITS && digits !== code) void run(digits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === DIGITS) void run(code);
    else input.current?.focus();
  };
  const error = refusalOf(failure, sign_in, settings);
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField
        ref={input}
        label={sign_in.code}
        hint={settings.code_hint(email)}
        value={code}
        onChange={(event) => change(event.target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        className="tabular-nums tracking-[0.3em]"
        autoFocus
        required
        error={error}
      />
      <FormFailure failure={error === undefined ? failure : null} />
      <div className="flex flex-wrap gap-3">
        <Button look="solid" type="submit" busy={busy}>
          {settings.confirm}
        </Button>
        <Button onClick={onOther}>{settings.other_address}</Button>
        <Button look="quiet" onClick={onCancel}>
          {settings.cancel}
        </Button>
      </div>
    </form>
  );
}

function refusalOf(
  failure: Failure | null,
  sign_in: Texts["sign_in"],
  settings: Texts["settings"],
): string | undefined {
  if (failure?.code !== "code_invalid") return undefined;
  if (failure.details.reason === "expired") return settings.code_expired;
  return failure.details.reason === "too_many" ? settings.code_too_many : sign_in.code_wrong;
}

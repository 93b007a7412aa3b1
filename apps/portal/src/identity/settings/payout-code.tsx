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

/** Takes the code that was mailed to the new payout email, and the one to the sign-in address unless that is the same. */
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
  const { api, me } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const owners_input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [sign_in_code, setSignInCode] = useState("");
  const needs_both = email?.toLowerCase() !== me.email;
  const { run, busy, failure, reset } = useAction(async () => {
    try {
      await api.settings.confirm_payout_email.mutate({ code, ...(needs_both ? { sign_in_code } : {}) });
    } catch (error) {
      input.current?.select();
      await onRefused();
      throw error;
    }
    await onConfirmed();
  });
  const change = (typed: string, set: (digits: string) => void) => {
    if (busy) return;
    reset();
    set(typed.replaceAll(/\D/g, "").slice(0, DIGITS));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length < DIGITS) input.current?.focus();
    else if (needs_both && sign_in_code.length < DIGITS) owners_input.current?.focus();
    else void run();
  };
  const error = refusalOf(failure, needs_both ? settings.codes_wrong : sign_in.code_wrong, settings);
  const of_code = {
    inputMode: "numeric",
    autoComplete: "one-time-code",
    className: "tabular-nums tracking-[0.3em]",
    required: true,
  } as const;
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField
        ref={input}
        label={needs_both ? settings.new_address_code : sign_in.code}
        hint={settings.code_hint(email)}
        value={code}
        onChange={(event) => change(event.target.value, setCode)}
        autoFocus
        error={error}
        {...of_code}
      />
      {needs_both && (
        <TextField
          ref={owners_input}
          label={settings.sign_in_code}
          hint={settings.sign_in_code_hint(me.email)}
          value={sign_in_code}
          onChange={(event) => change(event.target.value, setSignInCode)}
          {...of_code}
        />
      )}
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

function refusalOf(failure: Failure | null, wrong: string, settings: Texts["settings"]): string | undefined {
  if (failure?.code !== "code_invalid") return undefined;
  if (failure.details.reason === "expired") return settings.code_expired;
  if (failure.details.reason === "refused") return settings.address_refused;
  return failure.details.reason === "too_many" ? settings.code_too_many : wrong;
}

import type { SignedIn } from "@findersfee/contract/portal/join";
import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { post } from "@findersfee/ui/requests/post";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import type { Texts } from "../../texts/texts.ts";
import { FormFailure } from "./form-failure.tsx";
import { OtherWays } from "./other-ways.tsx";
import type { RequestedCode } from "./requested-code.ts";
import { useFinishedSignIn } from "./use-finished-sign-in.ts";

const DIGITS = 6;

interface State {
  code: string;
  busy: boolean;
  failure: Failure | null;
  /** The code was sent with too few digits. */
  is_short: boolean;
}

const EMPTY: State = { code: "", busy: false, failure: null, is_short: false };

interface CodeStepProps {
  requested: RequestedCode;
  hint: string;
  /** The words of the button that sends the code, and of the way back. */
  submit: string;
  other: string;
  /** Has another code mailed. */
  request: () => Promise<RequestedCode>;
  onSent: (requested: RequestedCode) => void;
  onOther: () => void;
  /** The application of the code does not fit the form any more. */
  onOutdated?: () => void;
  onAccepted?: () => void;
}

/** Takes the mailed code, and sends it with its sixth digit. */
export function CodeStep({ requested, hint, request, ...props }: CodeStepProps) {
  const { sign_in } = useTexts();
  const [{ code, busy, failure, is_short }, setState] = useState(EMPTY);
  const input = useRef<HTMLInputElement>(null);
  const finish = useFinishedSignIn();
  useLayoutEffect(() => input.current?.focus(), []);
  const send = async (sent: string) => {
    setState({ ...EMPTY, code: sent, busy: true });
    try {
      const { joined } = await post<SignedIn>("/auth/sign-in", { code: sent });
      props.onAccepted?.();
      finish(joined);
    } catch (error) {
      const refused = failureOf(error);
      if (refused.code === "application_outdated") props.onOutdated?.();
      setState({ ...EMPTY, code: sent, failure: refused });
      input.current?.select();
    }
  };
  const change = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, "").slice(0, DIGITS);
    if (busy) return;
    setState({ ...EMPTY, code: digits });
    if (digits.length === DIGITS && digits !== code) void send(digits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length === DIGITS) void send(code);
    else {
      setState({ ...EMPTY, code, is_short: true });
      input.current?.focus();
    }
  };
  const error = is_short ? sign_in.code_missing : codeError(failure, sign_in);
  return (
    <NarrowPage title={sign_in.code_title} hint={hint}>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <TextField
          ref={input}
          label={sign_in.code}
          value={code}
          onChange={(event) => change(event.target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tabular-nums tracking-[0.3em]"
          required
          error={error}
        />
        <FormFailure failure={error === undefined ? failure : null} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {props.submit}
        </Button>
      </form>
      <OtherWays
        {...{ requested, request }}
        other={props.other}
        onOther={props.onOther}
        onSent={(next) => {
          setState(EMPTY);
          input.current?.focus();
          props.onSent(next);
        }}
      />
    </NarrowPage>
  );
}

/** The reason why the field was refused; undefined if something else failed. */
function codeError(failure: Failure | null, texts: Texts["sign_in"]): string | undefined {
  if (failure === null) return undefined;
  if (failure.issues.length > 0) return texts.code_missing;
  if (failure.code !== "code_invalid") return undefined;
  if (failure.details.reason === "expired") return texts.code_expired;
  return failure.details.reason === "too_many" ? texts.code_too_many : texts.code_wrong;
}

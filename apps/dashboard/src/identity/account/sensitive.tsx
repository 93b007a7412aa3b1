import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { PasswordField } from "@findersfee/ui/components/password-field";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { account } from "../../requests/account.ts";
import { Canceled } from "../../requests/canceled.ts";
import { canUsePasskeys } from "../entrance/passkey-support.ts";
import { confirmByPasskey } from "./confirm-by-passkey.ts";
import { accountKey, credentialsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

type RunSensitive = <Result>(run: () => Promise<Result>) => Promise<Result>;

const SensitiveContext = createContext<RunSensitive>((run) => run());

/**
 * Returns a function that runs a sensitive change. If it needs a newer proof, the person first uses a passkey, or types
 * the password and a code of the authenticator app.
 */
export function useSensitive(): RunSensitive {
  return useContext(SensitiveContext);
}

export function SensitiveProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { data: credentials } = useQuery(credentialsQuery);
  const [prefers_password, setPrefersPassword] = useState(false);
  const proof = proofOf(credentials, prefers_password);
  const answer = useRef<{ confirm: () => void; cancel: () => void } | null>(null);
  const close = useCallback(() => {
    setOpen(false);
    answer.current?.cancel();
    answer.current = null;
  }, []);
  const runSensitive: RunSensitive = useCallback(async (run) => {
    try {
      return await run();
    } catch (error) {
      if (failureOf(error).code !== "sign_in_again") throw error;
    }
    await new Promise<void>((resolve, reject) => {
      setPrefersPassword(false);
      answer.current = { confirm: resolve, cancel: () => reject(new Canceled()) };
      setOpen(true);
    });
    return await run();
  }, []);
  return (
    <SensitiveContext value={runSensitive}>
      {children}
      <FormDialog
        open={open}
        onClose={close}
        title={texts.confirm_title}
        confirm={{ password: texts.confirm, passkey: texts.use_passkey, sign_in: texts.sign_in_again }[proof]}
        changes={accountKey}
        fields={["password", "code"]}
        run={async (form) => {
          if (proof === "sign_in") return window.location.assign(signInAddress());
          await (proof === "passkey" ? confirmByPasskey() : confirmByPassword(form));
          answer.current?.confirm();
        }}
      >
        {(errorOf) => (
          <Proof proof={proof} credentials={credentials} errorOf={errorOf}>
            <Button look="quiet" onClick={() => setPrefersPassword(true)}>
              {texts.use_password}
            </Button>
          </Proof>
        )}
      </FormDialog>
    </SensitiveContext>
  );
}

type Credentials = Awaited<ReturnType<typeof account.credentials.get.query>>;

/** The proof that the person confirms with: the best that they have, and that works at this address. */
function proofOf(
  credentials: Credentials | undefined,
  prefers_password: boolean,
): "passkey" | "password" | "sign_in" {
  if (credentials === undefined) return "password";
  const { has_passkey, has_password } = credentials;
  if (has_passkey && canUsePasskeys() && !(has_password && prefers_password)) return "passkey";
  return has_password ? "password" : "sign_in";
}

async function confirmByPassword(form: FormData): Promise<void> {
  const code = String(form.get("code") ?? "").trim();
  await account.credentials.confirm.mutate({
    password: String(form.get("password")),
    ...(code === "" ? {} : { code }),
  });
}

interface ProofProps {
  proof: ReturnType<typeof proofOf>;
  credentials: Credentials | undefined;
  errorOf: ErrorOf;
  /** The way from the passkey to the password. */
  children: ReactNode;
}

function Proof({ proof, credentials, errorOf, children }: ProofProps) {
  switch (proof) {
    case "sign_in":
      return <p>{texts.no_password_hint}</p>;
    case "password":
      return <ConfirmFields has_code={credentials?.has_second_factor === true} errorOf={errorOf} />;
    case "passkey":
      return (
        <>
          <p>{texts.confirm_with_passkey_hint}</p>
          {credentials?.has_password === true && <div>{children}</div>}
        </>
      );
  }
}

/** Where people without a password or a passkey prove again who they are; this page follows. */
function signInAddress(): string {
  const to = window.location.href.slice(`${window.location.origin}${APPLICATION_PATH}`.length);
  return `${APPLICATION_PATH}/sign-in?to=${encodeURIComponent(to)}`;
}

function ConfirmFields({ has_code, errorOf }: { has_code: boolean; errorOf: ErrorOf }) {
  return (
    <>
      <p>{has_code ? texts.confirm_with_code_hint : texts.confirm_hint}</p>
      <PasswordField
        label={texts.password}
        name="password"
        autoComplete="current-password"
        required
        error={errorOf("password")}
      />
      {has_code && (
        <TextField
          label={texts.confirm_code}
          name="code"
          hint={texts.confirm_code_hint}
          autoComplete="one-time-code"
          spellCheck={false}
          required
          error={errorOf("code")}
        />
      )}
    </>
  );
}

import { PasswordField, TextField } from "@findersfee/ui/components/controls";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { account } from "../../requests/account.ts";
import { Canceled } from "../../requests/canceled.ts";
import { accountKey, credentialsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

type RunSensitive = <Result>(run: () => Promise<Result>) => Promise<Result>;

const SensitiveContext = createContext<RunSensitive>((run) => run());

/**
 * Returns a function that runs a sensitive change. If it needs a newer proof, the person types the password
 * first, and a code of the authenticator app.
 */
export function useSensitive(): RunSensitive {
  return useContext(SensitiveContext);
}

export function SensitiveProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { data: credentials } = useQuery(credentialsQuery);
  const is_without_password = credentials?.has_password === false;
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
        confirm={is_without_password ? texts.sign_in_again : texts.confirm}
        changes={accountKey}
        fields={["password", "code"]}
        run={async (form) => {
          if (is_without_password) return window.location.assign(signInAddress());
          const code = String(form.get("code") ?? "").trim();
          await account.credentials.confirm.mutate({
            password: String(form.get("password")),
            ...(code === "" ? {} : { code }),
          });
          answer.current?.confirm();
        }}
      >
        {(errorOf) =>
          is_without_password ? (
            <p>{texts.no_password_hint}</p>
          ) : (
            <ConfirmFields has_code={credentials?.has_second_factor === true} errorOf={errorOf} />
          )
        }
      </FormDialog>
    </SensitiveContext>
  );
}

/** Where people without a password prove again who they are; this page follows. */
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

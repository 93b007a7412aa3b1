import { PasswordField, TextField } from "@findersfee/ui/components/controls";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
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
        confirm={texts.confirm}
        changes={accountKey}
        fields={["password", "code"]}
        run={async (form) => {
          const code = String(form.get("code") ?? "").trim();
          await account.credentials.confirm.mutate({
            password: String(form.get("password")),
            ...(code === "" ? {} : { code }),
          });
          answer.current?.confirm();
        }}
      >
        {(errorOf) => (
          <>
            <p>
              {credentials?.has_second_factor === true ? texts.confirm_with_code_hint : texts.confirm_hint}
            </p>
            <PasswordField
              label={texts.password}
              name="password"
              autoComplete="current-password"
              required
              error={errorOf("password")}
            />
            {credentials?.has_second_factor === true && (
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
        )}
      </FormDialog>
    </SensitiveContext>
  );
}

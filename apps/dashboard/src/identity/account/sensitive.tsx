import { PasswordField } from "@findersfee/ui/components/controls";
import { failureOf } from "@findersfee/ui/requests/failure";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { Canceled } from "../../requests/canceled.ts";
import { accountKey } from "./queries.ts";
import { texts } from "./texts.ts";

type RunSensitive = <Result>(run: () => Promise<Result>) => Promise<Result>;

const SensitiveContext = createContext<RunSensitive>((run) => run());

/**
 * Returns a function that runs a sensitive change. If the sign-in is too long ago for it, the person types the password
 * first.
 */
export function useSensitive(): RunSensitive {
  return useContext(SensitiveContext);
}

export function SensitiveProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
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
        fields={["password"]}
        run={async (form) => {
          await account.credentials.confirm.mutate({ password: String(form.get("password")) });
          answer.current?.confirm();
        }}
      >
        {(errorOf) => (
          <>
            <p>{texts.confirm_hint}</p>
            <PasswordField
              label={texts.password}
              name="password"
              autoComplete="current-password"
              required
              error={errorOf("password")}
            />
          </>
        )}
      </FormDialog>
    </SensitiveContext>
  );
}

import { Button } from "@findersfee/ui/components/button";
import { PasswordField } from "@findersfee/ui/components/password-field";
import { Section } from "@findersfee/ui/components/section";
import { useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { accountKey } from "./queries.ts";
import { texts } from "./texts.ts";

export function Password() {
  const [open, setOpen] = useState(false);
  return (
    <Section title={texts.password} hint={texts.password_hint}>
      <div>
        <Button onClick={() => setOpen(true)}>{texts.change_password}</Button>
      </div>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={texts.change_password}
        confirm={texts.save_password}
        done={texts.password_changed}
        changes={accountKey}
        fields={["current_password", "password"]}
        run={(form) =>
          account.credentials.change_password.mutate({
            current_password: String(form.get("current_password")),
            password: String(form.get("password")),
          })
        }
      >
        {(errorOf) => (
          <>
            <PasswordField
              label={texts.current_password}
              name="current_password"
              autoComplete="current-password"
              required
              error={errorOf("current_password")}
            />
            <PasswordField
              label={texts.new_password}
              name="password"
              autoComplete="new-password"
              hint={texts.new_password_hint}
              minLength={12}
              required
              error={errorOf("password")}
            />
          </>
        )}
      </FormDialog>
    </Section>
  );
}

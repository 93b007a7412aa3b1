import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { post } from "@findersfee/ui/requests/post";
import { useState } from "react";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { NewPasswordField } from "./new-account-fields.tsx";
import { QuietLink } from "./quiet-link.tsx";
import { texts } from "./texts.ts";

/** Without a token in its address it mails a link; with one it takes the new password. */
export function ResetPage() {
  const token = useLinkToken();
  return token === "" ? <AskForLink /> : <ChoosePassword token={token} />;
}

function AskForLink() {
  const [sent_to, setSentTo] = useState<string | null>(null);
  const { onSubmit, busy, failure, errorOf } = useSubmit(async ({ email = "" }) => {
    await post("/auth/password/forgot", { email });
    return email;
  }, setSentTo);
  if (sent_to !== null) {
    return (
      <NarrowPage title={texts.reset_sent} hint={texts.reset_sent_hint(sent_to)}>
        <div>
          <ButtonLink to="/sign-in">{texts.sign_in}</ButtonLink>
        </div>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title={texts.reset_ask} hint={texts.reset_ask_hint}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <TextField
          label={texts.email}
          name="email"
          inputMode="email"
          autoComplete="username"
          required
          autoFocus
          error={errorOf("email")}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.reset_send}
        </Button>
      </form>
      <QuietLink to="/sign-in">{texts.back_to_sign_in}</QuietLink>
    </NarrowPage>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ password }) => post("/auth/password/reset", { token, password }),
    () => {
      deleteLinkToken();
      setDone(true);
    },
  );
  if (done) {
    return (
      <NarrowPage title={texts.reset_title} hint={texts.reset_done}>
        <div>
          <ButtonLink to="/sign-in">{texts.sign_in}</ButtonLink>
        </div>
      </NarrowPage>
    );
  }
  if (failure?.code === "link_invalid") {
    return <InvalidLink remedy={texts.reset_new_link} to="/reset" action={texts.reset_again} />;
  }
  return (
    <NarrowPage title={texts.reset_title}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <NewPasswordField errorOf={errorOf} label={texts.new_password} autoFocus />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.save_password}
        </Button>
      </form>
    </NarrowPage>
  );
}

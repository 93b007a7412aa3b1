import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { post } from "@findersfee/ui/requests/post";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { QuietLink } from "./quiet-link.tsx";
import { returnAddress } from "./return-address.ts";
import { texts } from "./texts.ts";

/** Asks for the email: its domain leads to the organization's provider. */
export function SingleSignOnPage() {
  const to = returnAddress();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ email }) => post<{ url: string }>("/auth/single-sign-on", { email, to }),
    ({ url }) => window.location.assign(url),
  );
  return (
    <NarrowPage title={texts.single_sign_on} hint={texts.single_sign_on_hint}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <TextField
          label={texts.work_email}
          name="email"
          inputMode="email"
          autoComplete="username"
          required
          autoFocus
          error={errorOf("email")}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.continue}
        </Button>
      </form>
      <QuietLink to="/sign-in">{texts.another_way}</QuietLink>
    </NarrowPage>
  );
}

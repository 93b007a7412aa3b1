import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { useNavigation } from "@findersfee/ui/navigation";
import { post } from "@findersfee/ui/requests/post";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { QuietLink } from "./quiet-link.tsx";
import { returnAddress } from "./return-address.ts";
import { texts } from "./texts.ts";

export function SecondStepPage() {
  const to = returnAddress();
  const { navigate } = useNavigation();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ code = "" }) => post("/auth/sign-in/second-factor", { code: code.trim() }),
    () => navigate(to),
  );
  return (
    <NarrowPage title={texts.second_step} hint={texts.second_step_hint}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <TextField
          label={texts.code}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          error={errorOf("code")}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.continue}
        </Button>
      </form>
      <QuietLink to="/sign-in">{texts.back_to_sign_in}</QuietLink>
    </NarrowPage>
  );
}

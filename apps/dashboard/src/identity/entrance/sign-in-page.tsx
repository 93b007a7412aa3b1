import { Button } from "@findersfee/ui/components/button";
import { PasswordField, TextField } from "@findersfee/ui/components/controls";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { useNavigation } from "@findersfee/ui/navigation";
import { post } from "@findersfee/ui/requests/post";
import { lazy, Suspense } from "react";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { canUsePasskeys } from "./passkey-support.ts";
import { QuietLink } from "./quiet-link.tsx";
import { returnAddress } from "./return-address.ts";
import { texts } from "./texts.ts";

/** Most people sign in with a password: the code for passkeys comes after the page. */
const PasskeySignIn = lazy(async () => ({
  default: (await import("./passkey-sign-in.tsx")).PasskeySignIn,
}));

export function SignInPage() {
  const to = returnAddress();
  const { navigate } = useNavigation();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ email, password }) => post<{ next: "done" | "second_factor" }>("/auth/sign-in", { email, password }),
    ({ next }) => navigate(next === "done" ? to : `/sign-in/second-step?to=${encodeURIComponent(to)}`),
  );
  return (
    <NarrowPage title={texts.sign_in_title}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <TextField
          label={texts.email}
          name="email"
          inputMode="email"
          autoComplete="username webauthn"
          required
          autoFocus
          error={errorOf("email")}
        />
        <PasswordField
          label={texts.password}
          name="password"
          autoComplete="current-password"
          required
          error={errorOf("password")}
        />
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.sign_in}
        </Button>
      </form>
      {canUsePasskeys() && (
        <Suspense fallback={<div className="h-8 max-wide:h-11" />}>
          <PasskeySignIn onDone={() => navigate(to)} />
        </Suspense>
      )}
      <QuietLink to="/reset">{texts.forgot}</QuietLink>
    </NarrowPage>
  );
}

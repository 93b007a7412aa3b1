import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { PasswordField } from "@findersfee/ui/components/password-field";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { useNavigation } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { post } from "@findersfee/ui/requests/post";
import { Suspense, useState } from "react";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { canUsePasskeys } from "./passkey-support.ts";
import { QuietLink } from "./quiet-link.tsx";
import { returnAddress } from "./return-address.ts";
import { texts } from "./texts.ts";

/** Most people sign in with a password: the code for passkeys comes after the page. */
const PasskeySignIn = lazyPart(() => import("./passkey-sign-in.tsx"), "PasskeySignIn");

/** Only after single sign-on that did not work. */
const SingleSignOnFailure = lazyPart(() => import("./single-sign-on-failure.tsx"), "SingleSignOnFailure");

/** Few people ever need it. */
const DeviceLink = lazyPart(() => import("./device-link.tsx"), "DeviceLink");

export function SignInPage() {
  const query = new URLSearchParams(window.location.search);
  const reason = query.get("failure");
  const to = returnAddress();
  const { navigate } = useNavigation();
  const [email, setEmail] = useState("");
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ email = "", password }) => {
      setEmail(email);
      return post<{ next: "done" | "second_factor" }>("/auth/sign-in", { email, password });
    },
    ({ next }) => navigate(next === "done" ? to : `/sign-in/second-step?to=${encodeURIComponent(to)}`),
  );
  return (
    <NarrowPage title={texts.sign_in_title}>
      {reason !== null && (
        <Suspense>
          <SingleSignOnFailure reason={reason} request_id={query.get("request") ?? ""} />
        </Suspense>
      )}
      {reason === null && query.has("ended") && (
        <p role="status" className="rounded-control bg-info-tint px-3 py-2 text-table text-info">
          {texts.session_ended}
        </p>
      )}
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
        {failure?.code === "sign_in_limited" && (
          <Suspense fallback={null}>
            <DeviceLink email={email} />
          </Suspense>
        )}
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.sign_in}
        </Button>
      </form>
      {canUsePasskeys() && (
        <Suspense fallback={<div className="h-8 max-wide:h-11" />}>
          <PasskeySignIn onDone={() => navigate(to)} />
        </Suspense>
      )}
      <ButtonLink to={`/sign-in/single-sign-on?to=${encodeURIComponent(to)}`} className="w-full">
        {texts.use_single_sign_on}
      </ButtonLink>
      <QuietLink to="/reset">{texts.forgot}</QuietLink>
    </NarrowPage>
  );
}

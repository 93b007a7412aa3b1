import type { SignedIn } from "@findersfee/contract/portal/join";
import type { LinkAccount } from "@findersfee/contract/portal/sign-in";
import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { post } from "@findersfee/ui/requests/post";
import { useEffect, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { useFinishedSignIn } from "./use-finished-sign-in.ts";

/**
 * The page of the mail's link. It has a button, since mail scanners open links, too, and names the account: a stranger can send the
 * link of their own account.
 */
export function ConfirmPage() {
  const { sign_in } = useTexts();
  const token = useLinkToken();
  const finish = useFinishedSignIn();
  const [{ busy, failure }, setState] = useState<{ busy: boolean; failure: Failure | null }>({
    busy: false,
    failure: null,
  });
  const [account, setAccount] = useState<LinkAccount | null>(null);
  useEffect(() => {
    if (token === "") return undefined;
    let is_shown = true;
    post<LinkAccount>("/auth/sign-in/link/account", { token })
      .then((found) => is_shown && setAccount(found))
      .catch((error: unknown) => is_shown && setState({ busy: false, failure: failureOf(error) }));
    return () => {
      is_shown = false;
    };
  }, [token]);
  const signIn = async () => {
    setState({ busy: true, failure: null });
    try {
      const { joined } = await post<SignedIn>("/auth/sign-in/link", { token });
      deleteLinkToken();
      finish(joined);
    } catch (error) {
      setState({ busy: false, failure: failureOf(error) });
    }
  };
  const is_invalid = token === "" || failure?.code === "link_invalid" || failure?.code === "invalid_request";
  if (is_invalid) return <InvalidLink />;
  return (
    <NarrowPage
      title={sign_in.confirm_title}
      hint={account === null ? "" : sign_in.confirm_hint(account.email)}
    >
      <FormFailure failure={failure} />
      {account !== null && (
        <Button look="solid" busy={busy} autoFocus onClick={signIn}>
          {sign_in.sign_in}
        </Button>
      )}
    </NarrowPage>
  );
}

function InvalidLink() {
  const { sign_in } = useTexts();
  return (
    <NarrowPage title={sign_in.link_invalid} hint={sign_in.link_invalid_hint}>
      <div>
        <ButtonLink to="/sign-in">{sign_in.request_code}</ButtonLink>
      </div>
    </NarrowPage>
  );
}

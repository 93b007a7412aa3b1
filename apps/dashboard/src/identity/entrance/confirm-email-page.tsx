import { ButtonLink } from "@findersfee/ui/components/button";
import { useNavigation } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { account } from "../../requests/account.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { texts } from "./texts.ts";

/** Confirms the email of the person who is signed in; others sign in first. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const { navigate } = useNavigation();
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ["confirm-email", token],
    queryFn: async () => {
      await account.credentials.confirm_email.mutate({ token });
      deleteLinkToken();
      return true;
    },
    enabled: token !== "",
    // The link works once.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const failure = error === null ? null : failureOf(error);
  const is_signed_out = failure?.status === 401;
  useEffect(() => {
    if (is_signed_out) navigate("/sign-in?to=/sign-in/confirm-email");
  }, [is_signed_out, navigate]);
  if (isSuccess) {
    return (
      <NarrowPage title={texts.confirmed} hint={texts.confirmed_hint}>
        <div>
          <ButtonLink to="/">{texts.continue}</ButtonLink>
        </div>
      </NarrowPage>
    );
  }
  if (token === "" || failure?.code === "link_invalid") {
    return <InvalidLink remedy={texts.confirm_new_link} to="/me" action={texts.my_account} />;
  }
  if (error === null || is_signed_out) return null;
  return (
    <NarrowPage title={texts.confirm}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </NarrowPage>
  );
}

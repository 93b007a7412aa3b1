import type { InvitationAccepted, OpenInvitation } from "@findersfee/contract/identity/invitations";
import { Button } from "@findersfee/ui/components/button";
import { deleteDrafts } from "@findersfee/ui/forms/draft-store";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { useNavigation } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { post } from "@findersfee/ui/requests/post";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { NameField, NewPasswordField } from "./new-account-fields.tsx";
import { texts } from "./texts.ts";

export function InvitationPage() {
  const token = useLinkToken();
  const {
    data: invitation,
    error,
    refetch,
  } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => post<OpenInvitation>("/auth/invitations/get", { token }),
    enabled: token !== "",
    retry: false,
  });
  if (token === "") return <InvalidLink remedy={texts.invitation_new_link} />;
  if (invitation !== undefined) {
    return (
      <NarrowPage
        title={texts.invitation_title(invitation.organization_name)}
        hint={
          <>
            <p>{texts.invited(invitation.invited_by, invitation.role)}</p>
            <p>{texts.invitation_for(invitation.email)}</p>
          </>
        }
      >
        <Acceptance token={token} invitation={invitation} />
      </NarrowPage>
    );
  }
  if (error === null) return null;
  const { status } = failureOf(error);
  if (status >= 400 && status < 500 && status !== 429) {
    return <InvalidLink remedy={texts.invitation_new_link} />;
  }
  return (
    <NarrowPage title={texts.invitation}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </NarrowPage>
  );
}

interface Accepting {
  token: string;
  invitation: OpenInvitation;
}

/** The next step depends on who is signed in: only the person with the invitation's email can accept it. */
function Acceptance(accepting: Accepting) {
  const { email, has_account, signed_in_as } = accepting.invitation;
  if (signed_in_as !== null && signed_in_as !== email) return <OtherAccount email={signed_in_as} />;
  if (signed_in_as === null && has_account === true) return <SignInFirst text={texts.accept_has_account} />;
  if (signed_in_as !== null || has_account === false) return <AcceptForm {...accepting} />;
  return (
    <>
      <AcceptForm {...accepting} />
      <SignInFirst text={texts.accept_may_have_account} look="plain" />
    </>
  );
}

/** This tab keeps the link, and shows the page again after the sign-in. */
function SignInFirst({ text, look = "solid" }: { text: string; look?: "solid" | "plain" }) {
  const { navigate } = useNavigation();
  return (
    <Step text={text}>
      <Button look={look} onClick={() => navigate("/sign-in?to=/invitation")} className="w-full">
        {texts.accept_sign_in}
      </Button>
    </Step>
  );
}

function OtherAccount({ email }: { email: string }) {
  const { onSubmit, busy, failure } = useSubmit(
    () => post("/auth/sign-out", {}),
    () => {
      deleteDrafts();
      window.location.reload();
    },
  );
  return (
    <Step text={texts.other_account(email)}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.sign_out_continue}
        </Button>
      </form>
    </Step>
  );
}

function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <>
      <p className="wrap-anywhere">{text}</p>
      {children}
    </>
  );
}

/** Makes an account, unless the person has one and is signed in. */
function AcceptForm({ token, invitation: { has_account, signed_in_as } }: Accepting) {
  const is_new = has_account !== true && signed_in_as === null;
  const { navigate } = useNavigation();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ name, password }) =>
      post<InvitationAccepted>("/auth/invitations/accept", {
        token,
        ...(is_new ? { name, password } : {}),
      }),
    ({ organization_slug }) => {
      deleteLinkToken();
      navigate(`/o/${organization_slug}`);
    },
  );
  return (
    <form onSubmit={onSubmit} className="grid gap-5">
      {is_new && (
        <>
          <NameField errorOf={errorOf} />
          <NewPasswordField errorOf={errorOf} />
        </>
      )}
      <FormFailure failure={failure} />
      <Button look="solid" type="submit" busy={busy} className="w-full">
        {texts.accept}
      </Button>
    </form>
  );
}

import type { InvitationAccepted, OpenInvitation } from "@findersfee/contract/invitations";
import { Button } from "@findersfee/ui/components/button";
import { PasswordField, TextField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { NarrowPage } from "../frame/narrow-page.tsx";
import { failureOf } from "../requests/failure.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { post } from "../requests/post.ts";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { texts } from "./texts.ts";
import { useLinkToken } from "./use-link-token.ts";
import { useSubmit } from "./use-submit.ts";

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
  if (invitation !== undefined) return <AcceptForm token={token} invitation={invitation} />;
  if (error === null) return null;
  const { status } = failureOf(error);
  if (status >= 400 && status < 500 && status !== 429)
    return <InvalidLink remedy={texts.invitation_new_link} />;
  return (
    <NarrowPage title={texts.link_invalid}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </NarrowPage>
  );
}

/** Somebody with an account signs in first, and comes back. */
function AcceptForm({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const { organization_name, email, role, invited_by, has_account } = invitation;
  const { navigate } = useNavigation();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ name, password }) =>
      post<InvitationAccepted>("/auth/invitations/accept", {
        token,
        ...(has_account ? {} : { name, password }),
      }),
    ({ organization_slug }) => {
      navigate(`/o/${organization_slug}`);
    },
  );
  const sign_in = `/sign-in?to=${encodeURIComponent("/invitation")}`;
  return (
    <NarrowPage
      title={texts.invitation_title(organization_name)}
      hint={
        <>
          <p>{texts.invited(invited_by, role)}</p>
          <p>{texts.invitation_for(email)}</p>
        </>
      }
    >
      <form onSubmit={onSubmit} className="grid gap-5">
        {!has_account && (
          <>
            <TextField label={texts.name} name="name" autoComplete="name" required error={errorOf("name")} />
            <PasswordField
              label={texts.password}
              name="password"
              autoComplete="new-password"
              hint={texts.password_hint}
              minLength={12}
              required
              error={errorOf("password")}
            />
          </>
        )}
        {failure?.status === 401 ? (
          <Button look="solid" onClick={() => navigate(sign_in)} className="w-full">
            {texts.accept_sign_in}
          </Button>
        ) : (
          <>
            <FormFailure failure={failure} />
            <Button look="solid" type="submit" busy={busy} className="w-full">
              {texts.accept}
            </Button>
          </>
        )}
      </form>
    </NarrowPage>
  );
}

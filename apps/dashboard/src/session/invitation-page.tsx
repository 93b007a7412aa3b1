import type { InvitationAccepted, OpenInvitation } from "@findersfee/contract/invitations";
import { Button } from "@findersfee/ui/components/button";
import { PasswordField, TextField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { failureOf } from "../requests/failure.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { post } from "../requests/post.ts";
import { Entrance } from "./entrance.tsx";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { texts } from "./texts.ts";
import { useSubmit } from "./use-submit.ts";

const route = getRouteApi("/invitation/$token");

export function InvitationPage() {
  const { token } = route.useParams();
  const {
    data: invitation,
    error,
    refetch,
  } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => post<OpenInvitation>("/auth/invitations/get", { token }),
    retry: false,
  });
  if (invitation !== undefined) return <AcceptForm token={token} invitation={invitation} />;
  if (error === null) return null;
  const { status } = failureOf(error);
  if (status >= 400 && status < 500 && status !== 429)
    return <InvalidLink remedy={texts.invitation_new_link} />;
  return (
    <Entrance title={texts.link_invalid}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </Entrance>
  );
}

/** Somebody with an account signs in first, and comes back. */
function AcceptForm({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const { organization_name, email, role, invited_by, has_account } = invitation;
  const { navigate } = useNavigation();
  const client = useQueryClient();
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ name, password }) =>
      post<InvitationAccepted>("/auth/invitations/accept", {
        token,
        ...(has_account ? {} : { name, password }),
      }),
    ({ organization_slug }) => {
      client.clear();
      navigate(`/o/${organization_slug}`);
    },
  );
  const sign_in = `/sign-in?to=${encodeURIComponent(`/invitation/${token}`)}`;
  return (
    <Entrance
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
    </Entrance>
  );
}

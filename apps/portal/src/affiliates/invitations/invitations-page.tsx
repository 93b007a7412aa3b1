import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect } from "wouter";
import { useTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { signInPath } from "../../session/return-path.ts";
import { type Me, meQuery, useSignOut } from "../../session/session.tsx";
import { useOwnLanguage } from "../../session/use-own-language.ts";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { INVITATIONS_PATH } from "../../shell/places.ts";
import { Invitation } from "./invitation.tsx";

/** Organizations that added the person as an affiliate, until it has answered. */
export function InvitationsPage() {
  const { frame, invitations: texts } = useTexts();
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me !== undefined) return <Answers me={me} />;
  if (error === null) return <NarrowPage title={texts.title} hint={<SkeletonRows label={frame.loading} />} />;
  const failure = failureOf(error);
  if (failure.status === 401) return <Redirect to={signInPath(INVITATIONS_PATH, failure)} replace />;
  return (
    <NarrowPage title={texts.title}>
      <FailureNotice error={error} onRetry={refetch} />
    </NarrowPage>
  );
}

function Answers({ me }: { me: Me }) {
  const { invitations: texts } = useTexts();
  useOwnLanguage(me);
  const { invitations, email } = me;
  if (invitations.length === 0) {
    return (
      <NarrowPage title={texts.none} hint={texts.none_hint}>
        <WayOn me={me} />
      </NarrowPage>
    );
  }
  return (
    <NarrowPage
      title={invitations.length === 1 ? texts.title_one : texts.title_many(invitations.length)}
      hint={<span className="wrap-anywhere">{texts.hint(email)}</span>}
    >
      <List invitations={invitations} />
      <div className="grid gap-3 text-table text-muted">
        <p>{texts.accept_means}</p>
        <p>{texts.disown_means}</p>
        <p>{texts.money_stays}</p>
      </div>
      <WayOn me={me} />
    </NarrowPage>
  );
}

/** The link to the person's programs, or out of the portal if there are none. */
function WayOn({ me }: { me: Me }) {
  const { invitations: texts } = useTexts();
  const signOut = useSignOut();
  return (
    <div>
      {me.programs.length > 0 ? (
        <ButtonLink to="/">{texts.to_portal}</ButtonLink>
      ) : (
        <Button onClick={signOut}>{texts.sign_out}</Button>
      )}
    </div>
  );
}

/** Few at first: the meaning of the answers is below them. */
const FIRST = 4;

/** The newest, and all others on request. */
function List({ invitations }: Pick<Me, "invitations">) {
  const { invitations: texts } = useTexts();
  const [is_whole, setWhole] = useState(false);
  const shown = is_whole ? invitations : invitations.slice(0, FIRST);
  return (
    <>
      <ul className="grid gap-4">
        {shown.map((invitation) => (
          <Invitation key={invitation.affiliate_id} invitation={invitation} />
        ))}
      </ul>
      {shown.length < invitations.length && (
        <div>
          <Button onClick={() => setWhole(true)}>{texts.show_all(invitations.length)}</Button>
        </div>
      )}
    </>
  );
}

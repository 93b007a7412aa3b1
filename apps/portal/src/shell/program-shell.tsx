import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { Redirect, useLocation } from "wouter";
import { useTexts } from "../language/language.tsx";
import { rememberOrganization, useEntryLook } from "../portal/look/entry-look.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { PROGRAM_PARAMETER, useChosenProgram } from "../session/chosen-program.ts";
import { programLook } from "../session/program-look.ts";
import { signInPath } from "../session/return-path.ts";
import { apiOf, type Me, meQuery, type Program, SessionProvider, useSignOut } from "../session/session.tsx";
import { useOwnLanguage } from "../session/use-own-language.ts";
import { HOME_OF_AFFILIATES } from "./home-path.ts";
import { Menu, MenuButton } from "./menu.tsx";
import { NarrowPage } from "./narrow-page.tsx";
import { BottomBar, HeaderLinks } from "./navigation.tsx";
import { INVITATIONS_PATH, placesOf } from "./places.ts";
import { Shell } from "./shell.tsx";

/** The pages of affiliates that are not active. */
export const STATE_PAGES: Record<Program["state"], string> = {
  active: "/",
  waiting: "/waiting",
  declined: "/waiting",
  banned: "/closed",
  left: "/closed",
};

/** Around the pages of a program: only who is signed in sees them, and only active affiliates all of them. */
export function ProgramShell({
  path,
  states,
  children,
}: {
  path: string;
  /** The states in which an affiliate may see the page. */
  states: readonly Program["state"][];
  children: ReactNode;
}) {
  const entry = useEntryLook();
  const { data: me, error, refetch } = useQuery(meQuery);
  const [program, choose] = useChosenProgram(me, entry?.organization_id);
  if (me === undefined || error !== null) {
    const failure = failureOf(error);
    if (failure.status === 401) return <SignInFirst failure={failure} />;
    if (me === undefined) {
      return (
        <Shell look={entry?.look ?? null} is_pending>
          {error !== null && (
            <div className="mx-auto max-w-180 px-4 pt-8">
              <FailureNotice error={error} onRetry={refetch} />
            </div>
          )}
        </Shell>
      );
    }
  }
  if (program === null && me.invitations.length === 0) return <NoPrograms me={me} />;
  if (program === null || isInvitationLinked(me)) return <Redirect to={INVITATIONS_PATH} replace />;
  if (!states.includes(program.state)) return <Redirect to={STATE_PAGES[program.state]} replace />;
  return (
    <OfProgram {...{ me, program, choose, path }} key={program.affiliate_id}>
      {children}
    </OfProgram>
  );
}

function OfProgram({
  me,
  program,
  choose,
  path,
  children,
}: {
  me: Me;
  program: Program;
  choose: (affiliate_id: string) => void;
  path: string;
  children: ReactNode;
}) {
  const texts = useTexts();
  useOwnLanguage(me);
  const session = useMemo(
    () => ({ me, program, api: apiOf(program.affiliate_id), is_embedded: false, choose }),
    [me, program, choose],
  );
  const organization = programLook(me, program);
  const slug = organization?.slug;
  useEffect(() => {
    if (slug !== undefined) rememberOrganization(slug);
  }, [slug]);
  const places = program.state === "active" ? placesOf(path, texts) : [];
  return (
    <SessionProvider session={session}>
      <Shell
        look={organization?.look ?? null}
        navigation={<HeaderLinks places={places.filter(({ in_header }) => in_header)} />}
        menu={<MenuButton />}
        bar={
          <BottomBar
            places={places.filter(({ in_bar }) => in_bar)}
            is_elsewhere={places.some(({ current, in_bar }) => current && !in_bar)}
          />
        }
      >
        {me.invitations.length > 0 && <InvitationsNotice count={me.invitations.length} />}
        {children}
      </Shell>
      <Menu places={places.filter(({ in_bar }) => !in_bar)} />
    </SessionProvider>
  );
}

/** The link of an invitation's mail. */
function isInvitationLinked({ invitations }: Me): boolean {
  const linked = new URLSearchParams(window.location.search).get(PROGRAM_PARAMETER);
  return invitations.some(({ affiliate_id }) => affiliate_id === linked);
}

function InvitationsNotice({ count }: { count: number }) {
  const { frame } = useTexts();
  return (
    <div className="mx-(--page-margin) w-full max-w-(--page-width) px-4 pt-4 tablet:px-6 print:hidden">
      <Notice
        tone="info"
        title={frame.invited(count)}
        actions={<ButtonLink to={INVITATIONS_PATH}>{frame.answer}</ButtonLink>}
      />
    </div>
  );
}

/** The sign-in leads back to the page. Strangers at the root of an organization's own host name come to see its programs. */
function SignInFirst({ failure }: { failure: Failure }) {
  const [path] = useLocation();
  const entry = useEntryLook();
  const is_at_host = document.documentElement.hasAttribute("data-host");
  const { search } = window.location;
  if (is_at_host && path === "/" && search === "" && entry?.has_programs === true) {
    return <Redirect to={`/${entry.slug}`} replace />;
  }
  const to = `${path}${search}`;
  return <Redirect to={signInPath(to === HOME_OF_AFFILIATES ? "/" : to, failure)} replace />;
}

function NoPrograms({ me }: { me: Me }) {
  const { frame } = useTexts();
  const entry = useEntryLook()?.look ?? null;
  const signOut = useSignOut();
  return (
    <Shell look={entry}>
      <NarrowPage title={frame.no_programs} hint={frame.no_programs_hint(me.email)}>
        <div>
          <Button onClick={signOut}>{frame.sign_out}</Button>
        </div>
      </NarrowPage>
    </Shell>
  );
}

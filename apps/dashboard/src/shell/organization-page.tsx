import { ButtonLink } from "@findersfee/ui/components/button";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet, useLocation } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery, SessionProvider } from "../session/session.tsx";
import { sessionOf } from "../session/session-of.ts";
import { MessagePage } from "./message-page.tsx";
import { OrganizationShell } from "./organization-shell.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug");

/** The frame around an organization's pages, for its members. `overlay`: dialogs that any page may open. */
export function OrganizationPage({ overlay }: { overlay: ReactNode }) {
  const { slug } = route.useParams();
  const { pathname } = useLocation();
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  const session = sessionOf(me, slug);
  if (session === null) {
    return (
      <main>
        <MessagePage
          icon={Building2}
          title={texts.unknown_organization}
          action={<ButtonLink to="/organizations">{texts.all_organizations}</ButtonLink>}
        >
          {texts.unknown_organization_hint(slug, me.user.email)}
        </MessagePage>
      </main>
    );
  }
  if (session.organization.needs_single_sign_on) return <SingleSignOnNeeded home={session.home} />;
  return (
    <SessionProvider key={`${me.user.id} ${session.organization.id}`} session={session}>
      <OrganizationShell path={pathname}>
        <Outlet />
        {overlay}
      </OrganizationShell>
    </SessionProvider>
  );
}

/** The organization does not accept how the person signed in. The pages for sign-in are another document. */
function SingleSignOnNeeded({ home }: { home: string }) {
  return (
    <main>
      <MessagePage
        icon={Building2}
        title={texts.needs_single_sign_on}
        action={
          <a
            href={`${APPLICATION_PATH}/sign-in/single-sign-on?to=${encodeURIComponent(home)}`}
            className="text-accent underline underline-offset-2"
          >
            {texts.continue_with_single_sign_on}
          </a>
        }
      >
        {texts.needs_single_sign_on_hint}
      </MessagePage>
    </main>
  );
}

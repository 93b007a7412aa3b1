import { ButtonLink } from "@findersfee/ui/components/button";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet, useLocation } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import type { ReactNode } from "react";
import { PolicyGate } from "../identity/policies/policy-gate.tsx";
import { meQuery, SessionProvider } from "../session/session.tsx";
import { sessionOf } from "../session/session-of.ts";
import { MessagePage } from "./message-page.tsx";
import { OrganizationShell } from "./organization-shell.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug");

/** The frame around an organization's pages, for its members. `overlay`: dialogs that any page may open. */
export function OrganizationPage({ overlay }: { overlay: ReactNode }) {
  const { slug } = route.useParams();
  const { pathname, searchStr } = useLocation();
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
  return (
    <SessionProvider key={`${me.user.id} ${session.organization.id}`} session={session}>
      <PolicyGate here={`${pathname}${searchStr}`}>
        <OrganizationShell path={pathname}>
          <Outlet />
          {overlay}
        </OrganizationShell>
      </PolicyGate>
    </SessionProvider>
  );
}

import { ButtonLink } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet, useLocation } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { meQuery, SessionProvider } from "../session/session.tsx";
import { sessionOf } from "../session/session-of.ts";
import { MessagePage } from "./message-page.tsx";
import { OrganizationShell } from "./organization-shell.tsx";
import { texts } from "./texts.ts";

/** Few people see it, and every page has its code otherwise. */
const SingleSignOnNeeded = lazyPart(() => import("./single-sign-on-needed.tsx"), "SingleSignOnNeeded");

const route = getRouteApi("/o/$slug");

export interface OrganizationPageProps {
  /** The search, in the shell. */
  palette: ReactNode;
  /** Dialogs that any page may open. */
  overlay: ReactNode;
  /** Shows the pages, or why they do not open. `here`: the address of the page. */
  gate: (props: { here: string; children: ReactNode }) => ReactNode;
}

/** The frame around an organization's pages, for its members. */
export function OrganizationPage({ palette, overlay, gate: Gate }: OrganizationPageProps) {
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
  if (session.organization.needs_single_sign_on) {
    return (
      <Suspense>
        <SingleSignOnNeeded home={session.home} />
      </Suspense>
    );
  }
  return (
    <SessionProvider key={`${me.user.id} ${session.organization.id}`} session={session}>
      <Gate here={`${pathname}${searchStr}`}>
        <OrganizationShell path={pathname} palette={palette}>
          <Outlet />
          {overlay}
        </OrganizationShell>
      </Gate>
    </SessionProvider>
  );
}

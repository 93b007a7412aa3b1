import { useNavigation } from "@findersfee/ui/navigation";
import { PaletteButton } from "@findersfee/ui/overlays/palette";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { type NavigationSection, Shell } from "@findersfee/ui/shell/shell";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { attentionQuery } from "../reports/attention.ts";
import { useSession } from "../session/session.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { OrganizationMenu } from "./organization-menu.tsx";
import { PAGES } from "./pages.ts";
import { PersonMenu } from "./person-menu.tsx";
import { texts } from "./texts.ts";

export interface OrganizationShellProps {
  path: string;
  palette: ReactNode;
  children: ReactNode;
}

/** The navigation around all pages of an organization. */
export function OrganizationShell({ path, palette, children }: OrganizationShellProps) {
  const session = useSession();
  const { home } = session;
  const { navigate } = useNavigation();
  const { data: attention } = useQuery(attentionQuery(session));
  const current = currentPage(path, home);
  const pages = PAGES.map(({ count, ...page }) => {
    return {
      ...page,
      to: `${home}${page.path}`,
      current: page.path === current,
      ...(count === undefined || attention === undefined ? {} : { count: count(attention) }),
    };
  });
  useShortcuts(pages.map(({ keys, label, to }) => ({ keys, label, run: () => navigate(to) })));
  const headings = [...new Set(PAGES.map(({ section }) => section))];
  const sections = headings.map(
    (heading): NavigationSection => ({ heading, items: pages.filter(({ section }) => section === heading) }),
  );
  return (
    <Shell head={<Head />} sections={sections} foot={<PersonMenu />} banner={<Banners />}>
      {/* Before the page: its own search field takes "/" from the palette. */}
      {palette}
      {children}
      <Suspense>
        <JobTray />
      </Suspense>
    </Shell>
  );
}

/** The path of the navigation's page that an address is on, or below: the longest, since one page is below another. */
function currentPage(path: string, home: string): string | undefined {
  return PAGES.map((page) => page.path)
    .filter((own) => path === `${home}${own}` || (own !== "" && path.startsWith(`${home}${own}/`)))
    .sort((a, b) => b.length - a.length)[0];
}

function Head() {
  return (
    <>
      <OrganizationMenu />
      <PaletteButton label={texts.search_everything} />
    </>
  );
}

/** Loaded after the page. */
const JobTray = lazyPart(() => import("../work/job-tray.tsx"), "JobTray");

const TestBanner = lazyPart(() => import("../onboarding/test-data/banner.tsx"), "TestBanner");

function Banners() {
  const { organization } = useSession();
  return (
    <>
      <OfflineBanner />
      {organization.test_of !== null && (
        <Suspense>
          <TestBanner />
        </Suspense>
      )}
    </>
  );
}

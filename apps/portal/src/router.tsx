import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { Route, Router, Switch, useLocation } from "wouter";
import { LOADED_SCREENS, type LoadedScreen, useScreenNavigation } from "./loaded-screens.ts";
import { useEntryLook } from "./portal/look/entry-look.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import { ScreenContent } from "./shell/screen-content.tsx";
import { Shell } from "./shell/shell.tsx";

/** Loaded beside the pages that have it: the sign-in does not need it. */
const ProgramShell = lazyPart(() => import("./shell/program-shell.tsx"), "ProgramShell");

/** The portal's pages, by the address. */
export function PortalRouter() {
  return (
    <Router base={APPLICATION_PATH}>
      <Pages />
    </Router>
  );
}

function Pages() {
  const [path] = useLocation();
  const look = useEntryLook()?.look ?? null;
  const navigation = useScreenNavigation(APPLICATION_PATH);
  return (
    <NavigationProvider navigation={navigation}>
      <Switch>
        {LOADED_SCREENS.map((screen) => (
          <Route key={screen.path} path={screen.path}>
            <ScreenFrame screen={screen} path={path} />
          </Route>
        ))}
        <Route>
          <Shell look={look}>
            <NotFoundPage />
          </Shell>
        </Route>
      </Switch>
    </NavigationProvider>
  );
}

function ScreenFrame({ screen, path }: { screen: LoadedScreen; path: string }) {
  const { states } = screen;
  const look = useEntryLook()?.look ?? null;
  const content = <ScreenContent screen={screen} path={path} />;
  if (states === null) return <Shell look={look}>{content}</Shell>;
  return (
    <Suspense fallback={<Shell look={look} is_pending />}>
      <ProgramShell path={path} states={states}>
        {content}
      </ProgramShell>
    </Suspense>
  );
}

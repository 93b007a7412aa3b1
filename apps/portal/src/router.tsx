import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazy, Suspense } from "react";
import { Route, Router, Switch, useLocation } from "wouter";
import { Frame } from "./frame/frame.tsx";
import { NotFoundPage } from "./frame/not-found-page.tsx";
import { ScreenContent } from "./frame/screen-content.tsx";
import { LOADED_SCREENS, type LoadedScreen, useScreenNavigation } from "./loaded-screens.ts";
import { useEntryLook } from "./portal/look/entry-look.tsx";

/** Loaded beside the pages that have it: the sign-in does not need it. */
const ProgramFrame = lazy(async () => ({
  default: (await import("./frame/program-frame.tsx")).ProgramFrame,
}));

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
          <Frame look={look}>
            <NotFoundPage />
          </Frame>
        </Route>
      </Switch>
    </NavigationProvider>
  );
}

function ScreenFrame({ screen, path }: { screen: LoadedScreen; path: string }) {
  const { states } = screen;
  const look = useEntryLook()?.look ?? null;
  const content = <ScreenContent screen={screen} path={path} />;
  if (states === null) return <Frame look={look}>{content}</Frame>;
  return (
    <Suspense fallback={<Frame look={look} is_pending />}>
      <ProgramFrame path={path} states={states}>
        {content}
      </ProgramFrame>
    </Suspense>
  );
}

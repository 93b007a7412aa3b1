import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazy, Suspense } from "react";
import { Route, Router, Switch, useLocation } from "wouter";
import { Frame } from "./frame/frame.tsx";
import { NotFoundPage } from "./frame/not-found-page.tsx";
import { ScreenContent } from "./frame/screen-content.tsx";
import { useTexts } from "./language/language.tsx";
import { LOADED_SCREENS, type LoadedScreen, useScreenNavigation } from "./loaded-screens.ts";

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
  const { frame } = useTexts();
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
          <Frame name={frame.portal}>
            <NotFoundPage />
          </Frame>
        </Route>
      </Switch>
    </NavigationProvider>
  );
}

function ScreenFrame({ screen, path }: { screen: LoadedScreen; path: string }) {
  const { states } = screen;
  const { frame } = useTexts();
  const content = <ScreenContent screen={screen} path={path} />;
  if (states === null) return <Frame name={frame.portal}>{content}</Frame>;
  return (
    <Suspense>
      <ProgramFrame path={path} states={states}>
        {content}
      </ProgramFrame>
    </Suspense>
  );
}

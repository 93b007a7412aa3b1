import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazy, Suspense } from "react";
import { Route, Router, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "./frame/error-boundary.tsx";
import { Frame } from "./frame/frame.tsx";
import { NotFoundPage } from "./frame/not-found-page.tsx";
import {
  LOADED_SCREENS,
  type LoadedScreen,
  loadProgramFrame,
  useScreenNavigation,
} from "./loaded-screens.ts";
import { useEntryLook } from "./look/entry-look.tsx";

const ProgramFrame = lazy(async () => ({ default: (await loadProgramFrame()).ProgramFrame }));

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

function ScreenFrame({ screen: { states, Content }, path }: { screen: LoadedScreen; path: string }) {
  const look = useEntryLook()?.look ?? null;
  const content = (
    <ErrorBoundary key={path}>
      <Suspense>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
  if (states === null) return <Frame look={look}>{content}</Frame>;
  return (
    <Suspense fallback={<Frame look={look} is_pending />}>
      <ProgramFrame path={path} states={states}>
        {content}
      </ProgramFrame>
    </Suspense>
  );
}

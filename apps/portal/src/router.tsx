import { type Navigation, NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { type ComponentType, lazy, Suspense, useMemo } from "react";
import { matchRoute, Route, Router, Switch, useLocation, useRouter } from "wouter";
import { ErrorBoundary } from "./frame/error-boundary.tsx";
import { Frame } from "./frame/frame.tsx";
import { NotFoundPage } from "./frame/not-found-page.tsx";
import { ProgramFrame } from "./frame/program-frame.tsx";
import { useTexts } from "./language/language.tsx";
import { SCREENS, type Screen } from "./screens.ts";

interface LoadedScreen extends Screen {
  Content: ComponentType;
}

/** Each page is a chunk that loads once. */
const screens: readonly LoadedScreen[] = SCREENS.map((screen) => {
  let loading: Promise<ComponentType> | null = null;
  const load = () => {
    loading ??= screen.load();
    return loading;
  };
  return { ...screen, load, Content: lazy(async () => ({ default: await load() })) };
});

/** The portal's pages, by the address. */
export function PortalRouter() {
  return (
    <Router base={APPLICATION_PATH}>
      <Pages />
    </Router>
  );
}

function Pages() {
  const [path, setPath] = useLocation();
  const { parser } = useRouter();
  const { frame } = useTexts();
  const navigation = useMemo<Navigation>(
    () => ({
      hrefOf: (to) => `${APPLICATION_PATH}${to === "/" ? "" : to}` || "/",
      navigate: (to) => {
        setPath(to);
        window.scrollTo(0, 0);
      },
      preload: (to) => {
        const [pathname = "/"] = to.split("?");
        void screens.find((screen) => matchRoute(parser, screen.path, pathname)[0])?.load();
      },
    }),
    [setPath, parser],
  );
  return (
    <NavigationProvider navigation={navigation}>
      <Switch>
        {screens.map((screen) => (
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

function ScreenFrame({ screen: { states, Content }, path }: { screen: LoadedScreen; path: string }) {
  const { frame } = useTexts();
  const content = (
    <ErrorBoundary key={path}>
      <Suspense>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
  if (states === null) return <Frame name={frame.portal}>{content}</Frame>;
  return (
    <ProgramFrame path={path} states={states}>
      {content}
    </ProgramFrame>
  );
}

/** Begins to load the page of an address, before anything is shown. */
export function preloadScreen(path: string): Screen | undefined {
  const screen = screens.find(({ path: pattern }) => pattern === path);
  void screen?.load();
  return screen;
}

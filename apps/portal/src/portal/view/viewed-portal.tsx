import { buttonClass } from "@findersfee/ui/components/button";
import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { Route, Router, Switch, useLocation } from "wouter";
import { Frame } from "../../frame/frame.tsx";
import { NarrowPage } from "../../frame/narrow-page.tsx";
import { NotFoundPage } from "../../frame/not-found-page.tsx";
import { ProgramFrame } from "../../frame/program-frame.tsx";
import { ScreenContent } from "../../frame/screen-content.tsx";
import { useTexts } from "../../language/language.tsx";
import { LOADED_SCREENS, useScreenNavigation } from "../../loaded-screens.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { Banner } from "./banner.tsx";
import { DASHBOARD, PATH, viewQuery } from "./opened-view.ts";

const BASE = `${APPLICATION_PATH}${PATH}`;

/** The portal of one affiliate as staff of the organization see it: its pages, below a banner. */
export function ViewedPortal({ token }: { token: string }) {
  return (
    <Router base={BASE}>
      <Pages token={token} />
    </Router>
  );
}

function Pages({ token }: { token: string }) {
  const [path] = useLocation();
  const navigation = useScreenNavigation(BASE);
  const { data: view, error, refetch } = useQuery(viewQuery(token));
  return (
    <NavigationProvider navigation={navigation}>
      {error !== null && (
        <Frame look={null}>
          <div className="mx-auto max-w-180 px-4 pt-8">
            <FailureNotice error={error} onRetry={refetch} />
          </div>
        </Frame>
      )}
      {view === null && <EndedPage origin={`${DASHBOARD}/`} />}
      {view !== null && view !== undefined && (
        <>
          <Banner view={view} />
          <Switch>
            {LOADED_SCREENS.map((screen) =>
              screen.states === null ? null : (
                <Route key={screen.path} path={screen.path}>
                  <ProgramFrame path={path} states={screen.states}>
                    <ScreenContent screen={screen} path={path} />
                  </ProgramFrame>
                </Route>
              ),
            )}
            {/* Where the pages lead without a session. */}
            <Route path="/sign-in">
              <EndedPage origin={view.origin} />
            </Route>
            <Route>
              <Frame look={null}>
                <NotFoundPage />
              </Frame>
            </Route>
          </Switch>
        </>
      )}
    </NavigationProvider>
  );
}

function EndedPage({ origin }: { origin: string }) {
  const { view } = useTexts().embed;
  return (
    <Frame look={null}>
      <NarrowPage title={view.ended} hint={view.ended_hint}>
        <div>
          <a href={origin} className={buttonClass("solid")}>
            {view.to_dashboard}
          </a>
        </div>
      </NarrowPage>
    </Frame>
  );
}

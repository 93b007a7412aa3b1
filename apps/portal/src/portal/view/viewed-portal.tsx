import { buttonClass } from "@findersfee/ui/components/button";
import { NavigationProvider } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { Route, Router, Switch, useLocation } from "wouter";
import { useTexts } from "../../language/language.tsx";
import { LOADED_SCREENS, useScreenNavigation } from "../../loaded-screens.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { ProgramShell } from "../../shell/program-shell.tsx";
import { ScreenContent } from "../../shell/screen-content.tsx";
import { Shell } from "../../shell/shell.tsx";
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
        <Shell look={null}>
          <div className="mx-auto max-w-180 px-4 pt-8">
            <FailureNotice error={error} onRetry={refetch} />
          </div>
        </Shell>
      )}
      {view === null && <EndedPage origin={`${DASHBOARD}/`} />}
      {view !== null && view !== undefined && (
        <>
          <Banner view={view} />
          <Switch>
            {LOADED_SCREENS.map((screen) =>
              screen.states === null ? null : (
                <Route key={screen.path} path={screen.path}>
                  <ProgramShell path={path} states={screen.states}>
                    <ScreenContent screen={screen} path={path} />
                  </ProgramShell>
                </Route>
              ),
            )}
            {/* Where the pages lead without a session. */}
            <Route path="/sign-in">
              <EndedPage origin={view.origin} />
            </Route>
            <Route>
              <Shell look={null}>
                <NotFoundPage />
              </Shell>
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
    <Shell look={null}>
      <NarrowPage title={view.ended} hint={view.ended_hint}>
        <div>
          <a href={origin} className={buttonClass("solid")}>
            {view.to_dashboard}
          </a>
        </div>
      </NarrowPage>
    </Shell>
  );
}

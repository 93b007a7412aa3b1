import { Button } from "@findersfee/ui/components/button";
import { NavigationProvider } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "../frame/error-boundary.tsx";
import { NarrowPage } from "../frame/narrow-page.tsx";
import { NotFoundPage } from "../frame/not-found-page.tsx";
import { STATE_PAGES } from "../frame/program-frame.tsx";
import { useTexts } from "../language/language.tsx";
import { LOADED_SCREENS, useScreenNavigation } from "../loaded-screens.ts";
import { setColors } from "../look/colors.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { programLook } from "../session/program-look.ts";
import { apiOf, type Me, meQuery, SessionProvider } from "../session/session.tsx";
import { type Connection, useConnection } from "./connection.ts";
import { EmbeddedFrame } from "./embedded-frame.tsx";

/** The portal in a frame of the organization's product: the pages of one affiliate. */
export function EmbeddedPortal({ base, connection }: { base: string; connection: Connection }) {
  return (
    <Router base={base}>
      <Pages base={base} connection={connection} />
    </Router>
  );
}

function Pages({ base, connection }: { base: string; connection: Connection }) {
  const navigation = useScreenNavigation(base);
  const state = useConnection(connection);
  return (
    <NavigationProvider navigation={navigation}>
      {state.is === "connected" ? (
        <Connected key={state.affiliate_id} connection={connection} />
      ) : (
        <EmbeddedFrame path={null}>
          {state.is === "refused" && <RefusedPage onRetry={connection.reconnect} />}
          {state.is === "failed" && <Failed error={state.error} onRetry={connection.reconnect} />}
        </EmbeddedFrame>
      )}
    </NavigationProvider>
  );
}

/** What was read for another affiliate, or in a session that ended, is not shown. */
function Connected({ connection }: { connection: Connection }) {
  const client = useQueryClient();
  const [path] = useLocation();
  useEffect(() => () => client.clear(), [client]);
  const { data: me, error, refetch } = useQuery(meQuery);
  const has_ended = failureOf(error).status === 401 || me?.programs.length === 0;
  const { reconnect } = connection;
  useEffect(() => {
    if (error !== null && has_ended) reconnect();
  }, [error, has_ended, reconnect]);
  if (me === undefined || has_ended) {
    return (
      <EmbeddedFrame path={null}>
        {me !== undefined && <RefusedPage onRetry={reconnect} />}
        {me === undefined && error !== null && <Failed error={error} onRetry={refetch} />}
      </EmbeddedFrame>
    );
  }
  return <OfProgram me={me} path={path} />;
}

function OfProgram({ me, path }: { me: Me; path: string }) {
  const [program] = me.programs;
  if (program === undefined) throw new Error("the session of a frame has one program");
  const session = useMemo(
    () => ({ me, program, api: apiOf(program.affiliate_id), choose: () => {} }),
    [me, program],
  );
  const colors = programLook(me, program)?.look.colors ?? null;
  useLayoutEffect(() => setColors(colors), [colors]);
  return (
    <SessionProvider session={session}>
      <EmbeddedFrame path={program.state === "active" ? path : null}>
        <Switch>
          {LOADED_SCREENS.map(({ path: pattern, states, embedded, Content }) =>
            states === null || embedded === false ? null : (
              <Route key={pattern} path={pattern}>
                {states.includes(program.state) ? (
                  <ErrorBoundary key={path}>
                    <Suspense>
                      <Content />
                    </Suspense>
                  </ErrorBoundary>
                ) : (
                  <Redirect to={STATE_PAGES[program.state]} replace />
                )}
              </Route>
            ),
          )}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </EmbeddedFrame>
    </SessionProvider>
  );
}

function RefusedPage({ onRetry }: { onRetry: () => void }) {
  const { embed } = useTexts();
  return (
    <NarrowPage title={embed.refused} hint={embed.refused_hint}>
      <div>
        <Button look="solid" onClick={onRetry}>
          {embed.again}
        </Button>
      </div>
    </NarrowPage>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  return (
    <div className="mx-auto max-w-180 px-4 pt-8">
      <FailureNotice error={error} onRetry={onRetry} />
    </div>
  );
}

import { Button } from "@findersfee/ui/components/button";
import { NavigationProvider } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { useTexts } from "../../language/language.tsx";
import { LOADED_SCREENS, useScreenNavigation } from "../../loaded-screens.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { programLook } from "../../session/program-look.ts";
import { apiOf, type Me, meQuery, SessionProvider } from "../../session/session.tsx";
import { useOwnLanguage } from "../../session/use-own-language.ts";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { STATE_PAGES } from "../../shell/program-shell.tsx";
import { ScreenContent } from "../../shell/screen-content.tsx";
import { setColors } from "../look/colors.ts";
import { type Connection, useConnection } from "./connection.ts";
import { EmbeddedFrame } from "./embedded-frame.tsx";
import { useFrameLocation } from "./use-frame-location.ts";

interface Embedding {
  /** The path of the frame's pages. */
  base: string;
  connection: Connection;
  /** Whether the page around the frame has chosen the language; else it is the affiliate's own. */
  has_language: boolean;
}

/** The portal in a frame of the organization's product: the pages of one affiliate. */
export function EmbeddedPortal(embedding: Embedding) {
  return (
    <Router base={embedding.base} hook={useFrameLocation}>
      <Pages {...embedding} />
    </Router>
  );
}

function Pages({ base, connection, has_language }: Embedding) {
  const navigation = useScreenNavigation(base);
  const state = useConnection(connection);
  return (
    <NavigationProvider navigation={navigation}>
      {state.is === "connected" ? (
        <Connected key={state.affiliate_id} connection={connection} has_language={has_language} />
      ) : (
        <EmbeddedFrame path={null}>
          {state.is === "refused" && <RefusedPage onRetry={connection.reconnect} />}
          {state.is === "failed" && <Failed error={state.error} onRetry={connection.reconnect} />}
        </EmbeddedFrame>
      )}
    </NavigationProvider>
  );
}

/** Data of another affiliate, or of a session that ended, is not shown. */
function Connected({ connection, has_language }: Omit<Embedding, "base">) {
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
  return (
    <>
      {!has_language && <OwnLanguage me={me} />}
      <OfProgram me={me} path={path} />
    </>
  );
}

function OwnLanguage({ me }: { me: Me }): null {
  useOwnLanguage(me);
  return null;
}

function OfProgram({ me, path }: { me: Me; path: string }) {
  const [program] = me.programs;
  if (program === undefined) throw new Error("the session of a frame has one program");
  const session = useMemo(
    () => ({ me, program, api: apiOf(program.affiliate_id), is_embedded: true, choose: () => {} }),
    [me, program],
  );
  const colors = programLook(me, program)?.look.colors ?? null;
  useLayoutEffect(() => setColors(colors), [colors]);
  return (
    <SessionProvider session={session}>
      <EmbeddedFrame path={program.state === "active" ? path : null}>
        <Switch>
          {LOADED_SCREENS.map((screen) =>
            screen.states === null || screen.embedded === false ? null : (
              <Route key={screen.path} path={screen.path}>
                {screen.states.includes(program.state) ? (
                  <ScreenContent screen={screen} path={path} />
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

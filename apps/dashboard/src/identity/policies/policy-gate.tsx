import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { attentionQuery } from "../../reports/attention.ts";
import { useSession } from "../../session/session.tsx";

/** With the code of the account's page. */
const SecondFactorGate = lazyPart(() => import("./second-factor-gate.tsx"), "SecondFactorGate");

/** Few people see it, and every page has its code otherwise. */
const ClosedPage = lazyPart(() => import("./closed-page.tsx"), "ClosedPage");

/**
 * An organization's pages, once its policies allow the session to open it. Before that, it shows how to meet
 * the policies. The navigation reads the open tasks on each page, and the service refuses that read, too.
 */
export function PolicyGate({ here, children }: { here: string; children: ReactNode }) {
  const session = useSession();
  const { organization, me } = session;
  const client = useQueryClient();
  const lacks_factor = organization.second_factor_required && !me.user.two_factor_enabled;
  // The recovery codes are shown once the app is set up, so that the person leaves the page, not the state.
  const [is_held, setHeld] = useState(lacks_factor);
  const { error, refetch } = useQuery({ ...attentionQuery(session), enabled: !lacks_factor && !is_held });
  const { code, message } = failureOf(error);
  if (lacks_factor || is_held || code === "second_factor_required") {
    if (!is_held) setHeld(true);
    const goOn = () => {
      setHeld(false);
      void client.invalidateQueries({ queryKey: [organization.id] });
    };
    return (
      <Suspense fallback={null}>
        <SecondFactorGate onDone={goOn} />
      </Suspense>
    );
  }
  if (code === "session_limited" || code === "network_not_allowed") {
    return (
      <Suspense fallback={null}>
        <ClosedPage {...{ code, message, here }} onRetry={() => void refetch()} />
      </Suspense>
    );
  }
  return children;
}

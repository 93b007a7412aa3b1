import { Button } from "@findersfee/ui/components/button";
import { Notice, type NoticeTone } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { type PortalSettings, portalQuery } from "./queries.ts";
import { texts } from "./texts.ts";

export type HostProof = NonNullable<PortalSettings["host_proof"]>;

type State = "unproven" | "proven" | "failing" | "stopped";

const TONES: Record<State, NoticeTone> = {
  unproven: "info",
  proven: "good",
  failing: "warn",
  stopped: "bad",
};

function stateOf({ proven_at, failing_since }: HostProof): State {
  if (proven_at !== null) return failing_since === null ? "proven" : "failing";
  return failing_since === null ? "unproven" : "stopped";
}

/** Whether the portal is served at the host name, since when, and why not. */
export function HostState({ host, proof, url }: { host: string; proof: HostProof; url: string | null }) {
  const state = stateOf(proof);
  return (
    <Notice tone={TONES[state]} title={texts.host_states[state](host)}>
      <Since proof={proof} state={state} />
      {proof.failure !== null && <p>{texts.host_failures[proof.failure]}</p>}
      {url !== null && (
        <p>
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            className="text-accent underline underline-offset-2 wrap-anywhere"
          >
            {url}
          </a>
        </p>
      )}
    </Notice>
  );
}

function Since({ state, proof }: { state: State; proof: HostProof }) {
  const { proven_at, failing_since, served_until } = proof;
  if (state === "proven" && proven_at !== null) {
    return (
      <p>
        {texts.proven_since} <Time at={proven_at} />
      </p>
    );
  }
  if (failing_since === null) return <p>{texts.unproven_hint}</p>;
  return (
    <>
      <p>
        {texts.missing_since} <Time at={failing_since} />
      </p>
      {served_until === null ? (
        <p>{texts.stopped_hint}</p>
      ) : (
        <p>
          {texts.served_until} <Time at={served_until} />
        </p>
      )}
    </>
  );
}

/** Looks at the record of the saved name now. */
export function CheckHost() {
  const session = useSession();
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () => session.api.dashboard.portal.check_host.mutate({}),
    onSuccess: (settings) => client.setQueryData(portalQuery(session).queryKey, settings),
  });
  return (
    <div className="grid gap-1.5">
      <div>
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          {texts.check_now}
        </Button>
      </div>
      {check.error !== null && (
        <p role="alert" className="text-table text-bad">
          {messageOf(check.error)}
        </p>
      )}
    </div>
  );
}

function messageOf(error: Error): string {
  const { issues, message } = failureOf(error);
  return issues[0]?.message ?? message;
}

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

export type HostUse = "portal" | "link";

interface HostStateProps {
  use: HostUse;
  host: string;
  proof: HostProof;
  /** The address that people open there; null: there is none. */
  url: string | null;
}

/** Whether the host name is served, since when, and why not. */
export function HostState({ use, host, proof, url }: HostStateProps) {
  const state = stateOf(proof);
  if (proof.unreachable_since !== null) {
    const words = texts.hosts[use];
    return (
      <Notice tone="bad" title={words.unreachable(host)}>
        <p>
          {texts.unreachable_since} <Time at={proof.unreachable_since} />
        </p>
        <p>{words.unreachable_hint}</p>
        <p>{texts.unreachable_steps(words.check)}</p>
      </Notice>
    );
  }
  if (use === "link" && state === "proven" && url === null) {
    return (
      <Notice tone="warn" title={texts.unanswered_title(host)}>
        <p>{texts.unanswered_hint}</p>
      </Notice>
    );
  }
  return (
    <Notice tone={TONES[state]} title={texts.hosts[use].states[state](host)}>
      <Since use={use} proof={proof} state={state} />
      {proof.failure !== null && <p>{texts.host_failures[proof.failure]}</p>}
      {url !== null && use === "link" && <p className="wrap-anywhere">{texts.links_example(url)}</p>}
      {url !== null && use === "portal" && (
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

function Since({ use, state, proof }: { use: HostUse; state: State; proof: HostProof }) {
  const words = texts.hosts[use];
  const { proven_at, failing_since, served_until } = proof;
  if (state === "proven" && proven_at !== null) {
    return (
      <p>
        {texts.proven_since} <Time at={proven_at} />
      </p>
    );
  }
  if (failing_since === null) return <p>{words.unproven_hint}</p>;
  return (
    <>
      <p>
        {texts.missing_since} <Time at={failing_since} />
      </p>
      {served_until === null ? (
        <p>{words.stopped_hint}</p>
      ) : (
        <p>
          {words.served_until} <Time at={served_until} />
        </p>
      )}
    </>
  );
}

/** Looks at the record of the saved name now. */
export function CheckHost({ use }: { use: HostUse }) {
  const session = useSession();
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () => session.api.dashboard.portal.check_host.mutate({ use }),
    onSuccess: (settings) => client.setQueryData(portalQuery(session).queryKey, settings),
  });
  return (
    <div className="grid gap-1.5">
      <div>
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          {texts.hosts[use].check}
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

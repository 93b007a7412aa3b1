import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { type Replay, replaysQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The replays of an endpoint, newest first, with their progress. */
export function PastReplays({ endpoint_id }: { endpoint_id: string }) {
  const session = useSession();
  const { data, error, refetch } = useQuery(replaysQuery(session, endpoint_id));
  return (
    <Card title={texts.past}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length === 0 && <p className="text-table text-muted">{texts.none}</p>}
      <ul className="grid gap-3 text-table">
        {data?.map((replay) => (
          <li key={replay.id} className="border-line not-last:border-b not-last:pb-3">
            <ReplayRow replay={replay} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ReplayRow({ replay }: { replay: Replay }) {
  const { id, kind, events_from, events_to, deliveries, created_at, finished_at } = replay;
  const { api } = useSession();
  const { change, busy } = useChange("endpoints");
  const may_stop = useMay("admin");
  const is_running = finished_at === null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
      <span className="w-28">
        <ReplayState replay={replay} />
      </span>
      <span className="text-muted">
        {texts.kinds[kind]}, <Time at={events_from} /> – <Time at={events_to} />
      </span>
      <span className="tabular-nums">{texts.sent(deliveries)}</span>
      <span className="ml-auto text-muted">
        <Time at={created_at} show="relative" />
      </span>
      {is_running && may_stop && (
        <Button
          busy={busy}
          onClick={() =>
            change({
              run: () => api.dashboard.replays.stop.mutate({ id }),
              toast: { text: texts.stop_done },
            })
          }
        >
          {texts.stop}
        </Button>
      )}
      {is_running && <ProgressBar replay={replay} />}
    </div>
  );
}

function ReplayState({ replay: { finished_at, stopped_at } }: { replay: Replay }) {
  if (stopped_at !== null) return <State tone="stopped">{texts.stopped}</State>;
  if (finished_at !== null) return <State tone="done">{texts.finished}</State>;
  return <State tone="waiting">{texts.running}</State>;
}

/** The progress of a replay, by the time of its events. */
function ProgressBar({ replay: { events_from, events_to, done_until } }: { replay: Replay }) {
  const from = Date.parse(events_from);
  const part = done_until === null ? 0 : (Date.parse(done_until) - from) / (Date.parse(events_to) - from);
  const percent = Math.round(Math.max(0, Math.min(1, part)) * 100);
  return (
    <svg
      role="img"
      aria-label={texts.progress(percent)}
      width="100%"
      height="4"
      className="basis-full rounded-full"
    >
      <rect width="100%" height="4" className="fill-hover" />
      <rect width={`${percent}%`} height="4" className="fill-accent" />
    </svg>
  );
}

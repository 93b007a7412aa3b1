import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { shortId } from "@findersfee/ui/formats/ids";
import { Link } from "@findersfee/ui/navigation";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type BulkChange, endBulkChange, startBulkChange } from "../../session/bulk-change.ts";
import { useSession } from "../../session/session.tsx";
import { type BulkProgress, changeInBatches, NOTHING_DONE, type RowFailure } from "./in-batches.ts";
import { texts } from "./texts.ts";

type Phase = "asking" | "running" | "ended";

/** Makes a change of many rows: its progress, and the rows that could not be changed with the reasons. */
export function BulkDialog({ change }: { change: BulkChange }) {
  const { title, ids, confirm } = change;
  const { phase, progress, error, is_stopping, run, stop } = useBulk(change);
  const close = () => startBulkChange(null);
  const left = ids.length - progress.done;
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      locked={phase === "running"}
      actions={
        phase === "asking" ? (
          <>
            <Button onClick={close}>{texts.cancel}</Button>
            <Button look="solid" onClick={run}>
              {confirm}
            </Button>
          </>
        ) : phase === "running" ? (
          <Button busy={is_stopping} onClick={stop}>
            {is_stopping ? texts.stopping : texts.stop}
          </Button>
        ) : (
          <>
            {left > 0 && <Button onClick={run}>{texts.proceed}</Button>}
            <Button look="solid" onClick={close}>
              {texts.close}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4">
        {phase === "asking" && <p className="text-muted">{texts.ask(ids.length)}</p>}
        {phase === "running" && <ProgressBar done={progress.done} count={ids.length} />}
        {phase === "ended" && (
          <Result progress={progress} left={left} error={error} pathOf={change.pathOf} onFollow={close} />
        )}
      </div>
    </Dialog>
  );
}

function useBulk(change: BulkChange) {
  const { organization } = useSession();
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>(change.confirm === null ? "running" : "asking");
  const [progress, setProgress] = useState<BulkProgress>(NOTHING_DONE);
  const [error, setError] = useState<unknown>(null);
  const [is_stopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const run = async () => {
    stopped.current = false;
    setStopping(false);
    setError(null);
    setPhase("running");
    try {
      await changeInBatches(change, {
        from: progress,
        onProgress: setProgress,
        isStopped: () => stopped.current,
      });
    } catch (failed) {
      setError(failed);
    }
    setPhase("ended");
    endBulkChange();
    await client.invalidateQueries({ queryKey: [organization.id] });
  };
  const is_begun = useRef(change.confirm !== null);
  useEffect(() => {
    if (is_begun.current) return;
    is_begun.current = true;
    void run();
  });
  useEffect(() => {
    if (phase !== "running") return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [phase]);
  return {
    phase,
    progress,
    error,
    is_stopping,
    run: () => void run(),
    stop: () => {
      stopped.current = true;
      setStopping(true);
    },
  };
}

function ProgressBar({ done, count }: { done: number; count: number }) {
  return (
    <div className="grid gap-2">
      <progress
        aria-label={texts.progress(done, count)}
        value={done}
        max={count}
        className="h-2 w-full accent-accent-line"
      />
      <p role="status" className="text-table text-muted tabular-nums">
        {texts.progress(done, count)}
      </p>
    </div>
  );
}

interface ResultProps {
  progress: BulkProgress;
  left: number;
  error: unknown;
  pathOf: (id: string) => string;
  onFollow: () => void;
}

function Result({ progress: { done, changed, failures }, left, error, pathOf, onFollow }: ResultProps) {
  const unchanged = done - changed - failures.length;
  return (
    <>
      {error !== null && (
        <Notice tone="bad" title={failureOf(error).message} alert>
          {texts.interrupted(left)}
        </Notice>
      )}
      <div role="status" className="grid gap-1">
        <p>{texts.changed(changed)}</p>
        {unchanged > 0 && <p className="text-muted">{texts.unchanged(unchanged)}</p>}
        {error === null && left > 0 && <p className="text-muted">{texts.stopped(left)}</p>}
      </div>
      {failures.length > 0 && <Failures {...{ failures, pathOf, onFollow }} />}
    </>
  );
}

/** The reasons that are shown, each with some of its rows. */
const MOST_REASONS = 20;
const MOST_ROWS = 5;

function Failures({
  failures,
  pathOf,
  onFollow,
}: { failures: readonly RowFailure[] } & Pick<ResultProps, "pathOf" | "onFollow">) {
  const by_reason = byReason(failures);
  return (
    <section className="grid gap-2">
      <p>{texts.refused(failures.length)}</p>
      <ul className="grid gap-3">
        {[...by_reason].slice(0, MOST_REASONS).map(([message, rows]) => (
          <li key={message} className="grid gap-1 border-l-2 border-line pl-3">
            <span>{message}</span>
            <span className="flex flex-wrap gap-x-3 text-table text-muted">
              {rows.slice(0, MOST_ROWS).map(({ id }) => (
                <Link
                  key={id}
                  to={pathOf(id)}
                  onClick={onFollow}
                  className="font-mono text-meta text-accent underline underline-offset-2"
                >
                  {shortId(id)}
                </Link>
              ))}
              {rows.length > MOST_ROWS && texts.more(rows.length - MOST_ROWS)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function byReason(failures: readonly RowFailure[]): Map<string, RowFailure[]> {
  const reasons = new Map<string, RowFailure[]>();
  for (const failure of failures) {
    const same = reasons.get(failure.message);
    if (same === undefined) reasons.set(failure.message, [failure]);
    else same.push(failure);
  }
  return reasons;
}

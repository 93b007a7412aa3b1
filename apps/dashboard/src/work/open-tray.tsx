import { Button } from "@findersfee/ui/components/button";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Tray, type TrayItem } from "@findersfee/ui/shell/tray";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { download } from "../requests/download.ts";
import { useMay, useSession } from "../session/session.tsx";
import { useHiddenJobs } from "./hidden.ts";
import { jobsKey } from "./jobs-key.ts";
import type { Job } from "./queries.ts";
import { kindTexts, texts } from "./texts.ts";

/** Work of the service itself: it is shown when somebody sees it end. */
const OF_SERVICE = ["payout_run", "replay"];

/** The tray with all long work that runs, or that ended and was not hidden. */
export function OpenTray({ jobs }: { jobs: readonly Job[] }) {
  const [open, setOpen] = useState(false);
  const { hidden, hide } = useHiddenJobs();
  const seen = useRef(new Set<string>());
  for (const { id, state } of jobs) if (state === "running") seen.current.add(id);
  const shown = jobs.filter(
    ({ id, kind, state }) =>
      state === "running" || (!hidden.has(id) && (seen.current.has(id) || !OF_SERVICE.includes(kind))),
  );
  const actionOf = useActions();
  if (shown.length === 0) return null;
  return (
    <Tray
      label={texts.label}
      summary={summaryOf(shown)}
      open={open}
      onOpen={setOpen}
      items={shown.map((job) => ({
        ...itemOf(job),
        action: actionOf(job),
        ...(job.state === "running" ? {} : { onHide: () => hide(job.id) }),
      }))}
    />
  );
}

function summaryOf(jobs: readonly Job[]): string {
  const running = jobs.filter(({ state }) => state === "running");
  const [first] = running;
  if (first !== undefined && running.length === 1) {
    const part = partOf(first);
    return `${kindTexts(first.kind).running}${part === null ? "…" : ` · ${texts.percent(part)}`}`;
  }
  if (running.length > 1) return texts.running(running.length);
  const failed = jobs.filter(({ state }) => state === "failed").length;
  return failed > 0 ? texts.failed(failed) : texts.finished(jobs.length);
}

function partOf({ done, total }: Job): number | null {
  return done === null || total === null || total === 0 ? null : Math.min(1, done / total);
}

function itemOf(job: Job): TrayItem {
  const { id, kind, state, started_by } = job;
  const by = started_by === null ? [] : [texts.by(started_by)];
  const detail = [...detailOf(job), ...by].join(" · ");
  if (state === "running") return { id, title: kindTexts(kind).running, detail, progress: partOf(job) };
  const tone = state === "failed" ? "failed" : state === "canceled" ? "stopped" : "done";
  return { id, title: kindTexts(kind).done, tone, detail };
}

function detailOf(job: Job): string[] {
  const { kind, state, done, total, result, reason, period } = job;
  const { units, counts = {} } = kindTexts(kind);
  const named = Object.entries(result ?? {}).flatMap(([name, count]) => counts[name]?.(count) ?? []);
  const of_period = period === null ? [] : [period];
  if (state === "running") {
    if (reason !== null) return [...of_period, texts.trying_again];
    if (done === null || done === 0) return [...of_period, texts.starting];
    return [...of_period, total === null ? units(done) : texts.of(units(done), total)];
  }
  if (state === "failed") return [...of_period, reason ?? ""];
  const what = named.length > 0 ? named : done === null ? [] : [units(done)];
  return [...of_period, ...(state === "canceled" ? [texts.canceled] : []), ...what];
}

/** The button of a job: cancel it, or save its file. */
function useActions(): (job: Job) => React.ReactNode {
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const may_change = useMay("admin");
  const onError = (error: unknown) => toast({ text: failureOf(error).message, tone: "failed" });
  const { mutate: cancel, isPending } = useMutation({
    mutationFn: (id: string) => session.api.dashboard.jobs.cancel.mutate({ id }),
    onSuccess: () => client.invalidateQueries({ queryKey: jobsKey(session.organization.id) }),
    onError,
  });
  const { mutate: save, isPending: saving } = useMutation({
    mutationFn: (id: string) => download(session.organization.id, `/dashboard/jobs/${id}/file`),
    onError,
  });
  return ({ id, kind, state, file }) => {
    if (state === "running") {
      if (!may_change || OF_SERVICE.includes(kind)) return null;
      return (
        <Button look="quiet" className="h-6 px-2" busy={isPending} onClick={() => cancel(id)}>
          {texts.cancel}
        </Button>
      );
    }
    if (file === null || !may_change) return null;
    return (
      <Button className="h-6 px-2" busy={saving} onClick={() => save(id)}>
        {texts.download}
      </Button>
    );
  };
}

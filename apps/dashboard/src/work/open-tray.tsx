import { Button } from "@findersfee/ui/components/button";
import type { StateTone } from "@findersfee/ui/components/state";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Tray, type TrayItem } from "@findersfee/ui/shell/tray";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { download } from "../requests/download.ts";
import { useMay, useSession } from "../session/session.tsx";
import { useHiddenJobs } from "./hidden.ts";
import { jobsKey } from "./jobs-key.ts";
import type { Job } from "./queries.ts";
import { kindTexts, texts } from "./texts.ts";

/** Work that concerns everybody, such as a payout run on its day: shown to those who see it run. */
const OF_SERVICE = ["payout_run", "replay"];

/** Finished work that asks for nothing leaves the tray after this time in view. */
const SHOWN_MILLISECONDS = 8_000;

/** The tray with the person's long work that runs, or that ended and was not seen yet. */
export function OpenTray({ jobs }: { jobs: readonly Job[] }) {
  const [open, setOpen] = useState(false);
  const { hidden, hide } = useHiddenJobs();
  const seen = useRef(new Set<string>());
  for (const { id, state } of jobs) if (state === "running") seen.current.add(id);
  const shown = jobs
    .filter(({ is_own, kind }) => is_own || OF_SERVICE.includes(kind))
    .filter(
      ({ id, kind, state }) =>
        state === "running" || (!hidden.has(id) && (seen.current.has(id) || !OF_SERVICE.includes(kind))),
    );
  const ended = shown.filter(({ state }) => state !== "running");
  useHideLater(open ? [] : ended.filter((job) => !asksForPerson(job)).map(({ id }) => id), hide);
  const actionOf = useActions();
  if (shown.length === 0) return null;
  return (
    <Tray
      label={texts.label}
      summary={summaryOf(shown)}
      open={open}
      onOpen={(opens) => {
        setOpen(opens);
        // The person has seen the ended jobs.
        if (!opens) hide(ended.map(({ id }) => id));
      }}
      items={shown.map((job) => ({
        ...itemOf(job),
        action: actionOf(job),
        ...(job.state === "running" ? {} : { onHide: () => hide([job.id]) }),
      }))}
    />
  );
}

/** Whether somebody should look at ended work: it failed, left lines out, or has a file to download. */
function asksForPerson({ state, file, result }: Job): boolean {
  return state === "failed" || file !== null || leftOut(result) > 0;
}

/** Lines of an import that were wrong, and rows that break a rule of the ledger. */
const leftOut = (result: Job["result"]) => (result?.wrong ?? 0) + (result?.damaged ?? 0);

/** Hides these after a time in which the page was visible. */
function useHideLater(ids: readonly string[], hide: (ids: readonly string[]) => void): void {
  const key = ids.join(" ");
  useEffect(() => {
    if (key === "") return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        timer = setTimeout(() => hide(key.split(" ")), SHOWN_MILLISECONDS);
      }
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [key, hide]);
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
  if (failed > 0) return texts.failed(failed);
  const wrong = jobs.reduce((sum, { result }) => sum + (result?.wrong ?? 0), 0);
  return `${texts.finished(jobs.length)}${wrong > 0 ? `, ${texts.wrong(wrong)}` : ""}`;
}

function partOf({ done, total }: Job): number | null {
  return done === null || total === null || total === 0 ? null : Math.min(1, done / total);
}

function itemOf(job: Job): TrayItem {
  const { id, kind, state, started_by } = job;
  const by = started_by === null ? [] : [texts.by(started_by)];
  const detail = [...detailOf(job), ...by].join(" · ");
  if (state === "running") return { id, title: kindTexts(kind).running, detail, progress: partOf(job) };
  return { id, title: kindTexts(kind).done, tone: toneOf(job), detail };
}

function toneOf({ state, result }: Job): StateTone {
  if (state === "failed") return "failed";
  if (state === "canceled") return "stopped";
  return leftOut(result) > 0 ? "warning" : "done";
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

import { formatCount } from "@findersfee/ui/formats/counts";

const rows = (count: number) => (count === 1 ? "1 row" : `${formatCount(count)} rows`);

export const texts = {
  ask: (count: number) =>
    `This changes the ${rows(count)} you selected, not rows that match later. Keep this page open while it runs.`,
  cancel: "Cancel",
  progress: (done: number, count: number) => `${formatCount(done)} of ${formatCount(count)}`,
  stop: "Stop",
  stopping: "Stopping…",
  stopped: (left: number) => `Stopped. ${rows(left)} left unchanged.`,
  interrupted: (left: number) => `Interrupted: ${rows(left)} may not be changed yet.`,
  proceed: "Continue",
  changed: (count: number) => `${rows(count)} changed.`,
  unchanged: (count: number) => `${rows(count)} needed no change.`,
  refused: (count: number) => `${rows(count)} could not be changed:`,
  more: (count: number) => `and ${rows(count)} more`,
  close: "Close",
};

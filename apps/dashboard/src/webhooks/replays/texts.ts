import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Replays",
  choose: "Choose events to send again",
  hint: "A replay sends all events of a period again if their deliveries failed or were canceled, oldest first. New events go first.",
  failures: "Failed deliveries by hour, last 7 days",
  failures_summary: (sum: string) => `${sum} deliveries of the last 7 days failed. Choose a period below.`,
  none_failed_week: "No failed deliveries in the last 7 days.",
  from: "Events from",
  until: "Until",
  zone: (zone: string) => `In your time zone, ${zone}`,
  all: "All failures",
  day: "Last 24 hours",
  week: "Last 7 days",
  estimate: (count: number, is_cut: boolean) =>
    count === 0
      ? "No failed deliveries in this period."
      : `${formatCount(count)}${is_cut ? " or more" : ""} ${count === 1 ? "delivery" : "deliveries"} will be sent again.`,
  estimating: "Counting…",
  wrong_range: "The end must be after the beginning.",
  start: (count: number) => (count === 0 ? "Start replay" : `Send ${formatCount(count)} again`),
  started: "Replay started",
  disabled: "The endpoint is disabled. Enable it first.",
  past: "Replays of this endpoint",
  none: "None yet.",
  kinds: { failed: "Failed deliveries", missed: "Failed and missed events" },
  running: "Running",
  finished: "Finished",
  stopped: "Stopped",
  sent: (count: number) => (count === 1 ? "1 delivery" : `${formatCount(count)} deliveries`),
  stop: "Stop",
  stop_done: "Replay stopped. Queued deliveries are still sent.",
  progress: (percent: number) => `${percent}% of the period`,
};

import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Replays",
  choose: "Which events to send again",
  hint: "A replay sends all events of a time again whose deliveries were given up or canceled, the oldest first. New events come before them.",
  failures: "Failed deliveries by hour, last 7 days",
  failures_summary: (sum: string) =>
    `${sum} deliveries of the last 7 days failed. Choose a time with the fields below.`,
  none_failed_week: "No delivery of the last 7 days has failed.",
  from: "Events from",
  until: "Until",
  zone: (zone: string) => `In your time zone, ${zone}`,
  all: "All failures",
  day: "Last 24 hours",
  week: "Last 7 days",
  estimate: (count: number, is_cut: boolean) =>
    count === 0
      ? "No delivery of this time has failed."
      : `${formatCount(count)}${is_cut ? " or more" : ""} ${count === 1 ? "delivery" : "deliveries"} will be sent again.`,
  estimating: "Counting…",
  wrong_range: "The end must be after the beginning.",
  start: (count: number) => (count === 0 ? "Start the replay" : `Send ${formatCount(count)} again`),
  started: "The replay has started",
  disabled: "The endpoint is disabled. Enable it first.",
  past: "Replays of this endpoint",
  none: "None yet.",
  kinds: { failed: "Failed deliveries", missed: "Failed and missed events" },
  running: "Running",
  finished: "Finished",
  stopped: "Stopped",
  sent: (count: number) => (count === 1 ? "1 delivery" : `${formatCount(count)} deliveries`),
  stop: "Stop",
  stop_done: "The replay is stopped. What is in the queue is still sent.",
  progress: (percent: number) => `${percent}% of the time`,
};

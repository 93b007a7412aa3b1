import { formatMonth } from "@findersfee/ui/formats/dates";

/** `2026-11` as `November 2026`: months of payouts are in UTC, as the runs are. */
export function monthOf(period: string): string {
  return formatMonth(new Date(`${period}-01T00:00:00Z`), { time_zone: "UTC", locale: "en-US" });
}

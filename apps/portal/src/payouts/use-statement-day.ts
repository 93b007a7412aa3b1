import { useClock } from "@findersfee/ui/components/clock";
import { formatFullDay } from "@findersfee/ui/formats/dates";

/** A day of a statement, which is the same wherever it is read: in the time zone of the payout's run, as its month is. */
export function useStatementDay(time_zone: string): (at: string) => string {
  const clock = useClock();
  return (at) => formatFullDay(new Date(at), { ...clock, time_zone });
}

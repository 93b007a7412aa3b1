import { useClock } from "@findersfee/ui/components/clock";
import { formatDay } from "@findersfee/ui/formats/dates";

/** A day that an affiliate named, in no zone: `20 Nov`. */
export function useDay(): (day: string) => string {
  const clock = useClock();
  return (day) => formatDay(new Date(day), { ...clock, time_zone: "UTC" });
}

export function Day({ day }: { day: string }) {
  const dayOf = useDay();
  return (
    <time dateTime={day} className="whitespace-nowrap tabular-nums">
      {dayOf(day)}
    </time>
  );
}

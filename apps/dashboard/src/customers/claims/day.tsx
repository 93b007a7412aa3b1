import { useClock } from "@findersfee/ui/components/clock";
import { dateLocale } from "@findersfee/ui/formats/clock";
import { formatDay } from "@findersfee/ui/formats/dates";
import type { WriteDay } from "./verdict.ts";

/** A day that an affiliate named, in no zone: `Nov 20`. */
export function useDay(): WriteDay {
  const clock = useClock();
  return (day, language) => {
    const locale = language === undefined ? clock.locale : dateLocale(language);
    return formatDay(new Date(day), { time_zone: "UTC", locale });
  };
}

export function Day({ day }: { day: string }) {
  const dayOf = useDay();
  return (
    <time dateTime={day} className="whitespace-nowrap tabular-nums">
      {dayOf(day)}
    </time>
  );
}

import { addDays, type ComparedPeriod, type Days } from "@findersfee/contract/reports/periods";
import { useClock } from "../components/clock.tsx";
import { controlClass } from "../components/controls.tsx";
import type { Clock } from "../formats/clock.ts";
import { formatDay } from "../formats/dates.ts";
import { daysOf } from "../lists/days.ts";
import { Link } from "../navigation.tsx";
import { useSource } from "./context.ts";
import { LAST_30_DAYS, PERIODS } from "./search.ts";

const CHOICE =
  "flex h-8 max-wide:h-11 shrink-0 items-center rounded-control border border-transparent px-2.5 text-table text-muted hover:bg-hover hover:text-ink aria-[current]:border-rule aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink";

const OTHER = "other";

/** The choice of days: links to periods with a name where there is room for them, and two dates for others. */
export function Periods({ range }: { range: ComparedPeriod }) {
  const { texts, search, hrefWith, change } = useSource();
  const own = daysOf(search.period);
  const chosen = own === null ? (search.period ?? LAST_30_DAYS) : OTHER;
  const others = `${range.from ?? addDays(range.until, -30)}..${addDays(range.until, -1)}`;
  const addressOf = (period: string) =>
    period === OTHER ? others : period === LAST_30_DAYS ? undefined : period;
  const choices = [
    ...PERIODS.map((value) => ({ value, label: texts.periods[value] })),
    { value: OTHER, label: texts.other_days },
  ];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <nav aria-label={texts.period} className="-mx-1 flex flex-wrap gap-1 @max-4xl:hidden">
        {choices.map(({ value, label }) => (
          <Link
            key={value}
            to={hrefWith({ period: addressOf(value), skip: undefined })}
            aria-current={value === chosen ? "true" : undefined}
            className={CHOICE}
          >
            {label}
          </Link>
        ))}
      </nav>
      <select
        aria-label={texts.period}
        value={chosen}
        onChange={({ target }) => change({ period: addressOf(target.value), skip: undefined })}
        className={`${controlClass} @4xl:hidden`}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {own !== null && <OwnDays key={search.period} days={own} />}
      <Range range={range} />
    </div>
  );
}

/** Two dates, which the address gets at once. */
function OwnDays({ days: { first, last } }: { days: { first: string; last: string } }) {
  const { texts, change, today } = useSource();
  const choose = (next: { first: string; last: string }) => {
    if (daysOf(`${next.first}..${next.last}`) !== null)
      change({ period: `${next.first}..${next.last}`, skip: undefined });
  };
  return (
    <div className="flex flex-wrap gap-3 max-wide:w-full">
      <DateField
        label={texts.first_day}
        day={first}
        max={last}
        onDay={(day) => choose({ first: day, last })}
      />
      <DateField
        label={texts.last_day}
        day={last}
        min={first}
        max={today}
        onDay={(day) => choose({ first, last: day })}
      />
    </div>
  );
}

function DateField({
  label,
  day,
  onDay,
  ...limits
}: {
  label: string;
  day: string;
  min?: string;
  max?: string;
  onDay: (day: string) => void;
}) {
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2 text-table text-muted @2xl:flex-none @max-2xl:grid @max-2xl:gap-1">
      {label}
      <input
        type="date"
        required
        defaultValue={day}
        {...limits}
        onBlur={({ target }) => target.value !== day && target.checkValidity() && onDay(target.value)}
        onKeyDown={({ key, currentTarget }) =>
          key === "Enter" && currentTarget.checkValidity() && onDay(currentTarget.value)
        }
        className={controlClass}
      />
    </label>
  );
}

/** The days in words. */
function Range({ range: { from, until, previous } }: { range: ComparedPeriod }) {
  const { texts } = useSource();
  const clock = useClock();
  const inWords = (days: Days) => rangeInWords(days, clock, texts.range);
  if (from === null) return <p className="text-table text-muted">{texts.since_ever}</p>;
  return (
    <p className="text-table text-muted">
      {inWords({ from, until })}
      {previous !== null && `, ${texts.compared(inWords(previous))}`}
    </p>
  );
}

/** Days are dates, in no time zone. */
function rangeInWords(
  { from, until }: Days,
  clock: Clock,
  range: (first: string, last: string) => string,
): string {
  const utc = { ...clock, time_zone: "UTC" };
  const last = addDays(until, -1);
  const dayOf = (day: string) => formatDay(new Date(day), utc);
  return from === last ? dayOf(from) : range(dayOf(from), dayOf(last));
}

import { changeOf, formatChange } from "../formats/changes.ts";
import { describeTime, formatDateTime, formatDay, formatRelative } from "../formats/dates.ts";
import { formatMoney, formatMoneyShort } from "../formats/money.ts";
import { useTexts } from "../texts.tsx";
import { useClock } from "./clock.tsx";

export interface TimeProps {
  /** ISO 8601. */
  at: string;
  show?: "time" | "day" | "relative";
}

/** A moment, with its zone, UTC and ISO 8601 in a tooltip. */
export function Time({ at, show = "time" }: TimeProps) {
  const clock = useClock();
  const date = new Date(at);
  const text =
    show === "day"
      ? formatDay(date, clock)
      : show === "relative"
        ? formatRelative(date, clock)
        : formatDateTime(date, clock);
  return (
    <time dateTime={at} title={describeTime(date, clock)} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}

export interface MoneyProps {
  /** In major units. */
  amount: number;
  currency: string;
  /** `$48.2K`, with the whole in the tooltip. */
  short?: boolean;
}

export function Money({ amount, currency, short }: MoneyProps) {
  const { locale } = useTexts();
  const whole = formatMoney(amount, currency, locale);
  return (
    <span className="whitespace-nowrap tabular-nums" {...(short ? { title: whole } : {})}>
      {short ? formatMoneyShort(amount, currency, locale) : whole}
    </span>
  );
}

const ARROWS = { up: "▲", down: "▼", same: "" } as const;

/** The change from the period before: `▲ 12% from $43,044`; without an arrow if there was nothing before. */
export function Change({ now, before, from }: { now: number; before: number; from: string }) {
  const { locale } = useTexts();
  const change = changeOf(now, before);
  if (change === null && now === before) return null;
  return (
    <span className="block truncate text-meta text-muted tabular-nums" title={from}>
      {change !== null && (
        <>
          <span aria-hidden>{ARROWS[change.direction]}</span>
          <span className="sr-only">{change.direction}</span> {formatChange(change.percent, locale)}{" "}
        </>
      )}
      {from}
    </span>
  );
}

/** A text that a stranger wrote: any length, any direction, never markup. Paper has no tooltips, so it shows more. */
export function Untrusted({ children, lines = 3 }: { children: string; lines?: 1 | 3 }) {
  return (
    <span
      dir="auto"
      className={lines === 1 ? "block truncate text-left" : "line-clamp-3 text-left print:line-clamp-12"}
      title={children.slice(0, 500)}
    >
      {children}
    </span>
  );
}

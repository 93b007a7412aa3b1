import { MAX_HELD_DATES } from "@findersfee/contract/portal/held-dates";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { NextPayout } from "./queries.ts";

/** A bar of due and held amounts, and the dates on which held ones become due. */
export function DueAndHeld({ next: { currency, due, held, held_until } }: { next: NextPayout }) {
  const { home } = useTexts();
  const { money, date } = useFormats();
  if (held <= 0) return null;
  const whole = Math.max(due, 0) + held;
  const share = (100 * Math.max(due, 0)) / whole;
  return (
    <div className="grid gap-3">
      <svg
        role="img"
        aria-label={home.due_and_held(money(due, currency), money(held, currency))}
        width="100%"
        height="8"
        className="rounded-full"
      >
        <rect width="100%" height="8" className="fill-rule" />
        <rect width={`${share}%`} height="8" className="fill-accent" />
      </svg>
      <dl className="grid gap-1 text-table">
        <Line swatch="bg-accent" label={home.due} amount={money(due, currency)} />
        <Line swatch="bg-rule" label={home.held_label} amount={money(held, currency)} />
        {held_until.map(({ on, amount }, index) => {
          const is_last = index === MAX_HELD_DATES - 1;
          return (
            <Line
              key={on}
              label={is_last ? home.held_and_later(date(on)) : home.held_until(date(on))}
              amount={money(amount, currency)}
              is_part
            />
          );
        })}
      </dl>
    </div>
  );
}

function Line({
  label,
  amount,
  swatch,
  is_part = false,
}: {
  label: string;
  amount: string;
  swatch?: string;
  is_part?: boolean;
}) {
  return (
    <div className={`flex items-baseline gap-2 ${is_part ? "pl-4.5 text-muted" : ""}`}>
      {swatch !== undefined && <span aria-hidden className={`size-2.5 rounded-full ${swatch}`} />}
      <dt className="flex-1">{label}</dt>
      <dd className="tabular-nums">{amount}</dd>
    </div>
  );
}

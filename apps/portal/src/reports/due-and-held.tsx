import { MAX_HELD_DATES } from "@findersfee/contract/portal/held-dates";
import { Link } from "@findersfee/ui/navigation";
import type { ReactNode } from "react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { NextPayout } from "./queries.ts";

/** A bar of due and other amounts, the dates on which held amounts become due, and the amount in review. */
export function DueAndHeld({ next: { currency, due, held, in_review, held_until } }: { next: NextPayout }) {
  const { home, commissions } = useTexts();
  const { money, date } = useFormats();
  if (held <= 0 && in_review <= 0) return null;
  const waiting = Math.max(held, 0) + Math.max(in_review, 0);
  const whole = Math.max(due, 0) + waiting;
  const share = (100 * Math.max(due, 0)) / whole;
  return (
    <div className="grid gap-3">
      <svg
        role="img"
        aria-label={home.due_and_held(money(due, currency), money(waiting, currency))}
        width="100%"
        height="8"
        className="rounded-full"
      >
        <rect width="100%" height="8" className="fill-edge" />
        <rect width={`${share}%`} height="8" className="fill-accent" />
      </svg>
      <dl className="grid gap-1 text-table">
        <Line swatch="bg-accent" label={home.due} amount={money(due, currency)} />
        {held > 0 && <Line swatch="bg-edge" label={home.held_label} amount={money(held, currency)} />}
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
        {in_review > 0 && (
          <Line
            swatch="bg-edge"
            label={
              <Link to="/earnings?state=in_review" className="underline underline-offset-2">
                {commissions.states.in_review}
              </Link>
            }
            amount={money(in_review, currency)}
          />
        )}
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
  label: ReactNode;
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

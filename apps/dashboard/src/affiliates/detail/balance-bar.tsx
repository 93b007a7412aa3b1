import { formatMoney } from "@findersfee/ui/formats/money";
import { CarriedForward } from "../../ledger/carried-forward.tsx";
import type { Detail } from "../queries.ts";
import { texts } from "./texts.ts";

type Balance = Detail["balances"][number];

const PARTS = [
  { name: "held", fill: "fill-warn" },
  { name: "due", fill: "fill-accent" },
  { name: "in_payout", fill: "fill-info" },
  { name: "paid", fill: "fill-muted" },
] as const;

/** Where the money of an affiliate stands: earned + adjusted = held + due + in payout + paid + converted. */
export function BalanceBar({ balance, affiliate_id }: { balance: Balance; affiliate_id: string }) {
  const { currency, earned, lost, adjusted, due, converted = 0 } = balance;
  const money = (amount: number) => formatMoney(amount, currency);
  const parts = PARTS.map((part) => ({ ...part, label: texts[part.name], amount: balance[part.name] }));
  const whole = parts.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
  let left = 0;
  return (
    <div className="grid gap-2">
      <p className="text-table text-muted tabular-nums">
        <span className="font-medium text-ink">{texts.earned(money(earned))}</span>
        {adjusted !== 0 && (
          <span className="font-medium text-ink">
            {`, ${texts.adjusted(`${adjusted > 0 ? "+" : ""}${money(adjusted)}`)}`}
          </span>
        )}
        {lost > 0 && ` ${texts.lost(money(earned + lost), money(lost))}`}
      </p>
      {whole > 0 && (
        <svg aria-hidden="true" width="100%" height="8" className="overflow-hidden rounded-full">
          <rect width="100%" height="8" className="fill-hover" />
          {parts.map(({ name, fill, amount }) => {
            const width = (Math.max(0, amount) / whole) * 100;
            const x = left;
            left += width;
            return <rect key={name} x={`${x}%`} width={`${width}%`} height="8" className={fill} />;
          })}
        </svg>
      )}
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {parts.map(({ name, fill, label, amount }) => (
          <div key={name} className="grow basis-2/5 whitespace-nowrap wide:basis-0">
            <dt className="flex items-center gap-1.5 text-table text-muted">
              <svg aria-hidden="true" width="8" height="8">
                <circle cx="4" cy="4" r="4" className={fill} />
              </svg>
              {label}
            </dt>
            <dd className="text-lead font-medium tabular-nums">{money(amount)}</dd>
          </div>
        ))}
      </dl>
      {converted !== 0 && (
        <p className="text-table text-muted tabular-nums">
          {converted > 0 ? texts.converted(money(converted)) : texts.converted_into(money(-converted))}
        </p>
      )}
      {due < 0 && (
        <CarriedForward
          affiliate_id={affiliate_id}
          due={due}
          currency={currency}
          otherwise={texts.overdrawn}
        />
      )}
    </div>
  );
}

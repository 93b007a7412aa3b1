import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { ledger_kinds } from "./ledger-kinds.ts";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";
import { PayoutStatus, payerOf } from "./status.tsx";
import { texts } from "./texts.ts";

/** Each status with its time and who set it, oldest first. */
export function PayoutHistory({ payout: { history } }: { payout: Payout }) {
  return (
    <ol className="grid gap-2.5 text-table">
      {history.map(({ status, at, actor, actor_name }) => (
        <li key={`${status} ${at}`}>
          <div className="flex items-baseline justify-between gap-3">
            <PayoutStatus status={status} />
            <span className="text-muted">
              <Time at={at} />
            </span>
          </div>
          <div className="pl-5 text-muted">
            <Untrusted lines={1}>{texts.by(payerOf({ name: actor_name, actor }))}</Untrusted>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The payout's entries, with the changes of each. */
export function PayoutLedger({ payout: { ledger } }: { payout: Payout }) {
  return (
    <ul className="grid gap-2.5 text-table">
      {ledger.map(({ number, kind, created_at, in_payout, paid, converted, currency }) => (
        <li key={number}>
          <div className="flex justify-between gap-3">
            <span>{ledger_kinds[kind]}</span>
            <Money amount={paid || in_payout || (converted ?? 0)} currency={currency} />
          </div>
          <div className="flex justify-between gap-3 text-muted">
            <span>{payout_texts.ledger_number(number)}</span>
            <Time at={created_at} />
          </div>
        </li>
      ))}
    </ul>
  );
}

import { State } from "@findersfee/ui/components/state";
import type { PaymentRow } from "./queries.ts";
import { outcomeNow } from "./reversals.ts";
import { texts } from "./texts.ts";

/** The outcome of a payment as it stands, with the numbers behind an expired click. */
export function OutcomeCell({ row }: { row: PaymentRow }) {
  const { outcome, passed, override } = row;
  const by_hand = override === null ? null : texts.overrides[override];
  const { label, tone } = outcomeNow(row);
  const { age_days = null, cookie_duration = null } = passed ?? {};
  const has_days = outcome === "click_expired" && age_days !== null && cookie_duration !== null;
  return (
    <State tone={tone}>
      <span className={outcome === "commission" ? "" : "text-ink"}>{label}</span>
      {by_hand !== null && <span className="text-muted">, {by_hand}</span>}
      {has_days && <span className="text-muted">, {texts.days_of(age_days, cookie_duration)}</span>}
    </State>
  );
}

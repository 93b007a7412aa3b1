import { State } from "@findersfee/ui/components/state";
import { labels, toneOf } from "./outcome-texts.ts";
import type { PaymentRow } from "./queries.ts";
import { texts } from "./texts.ts";

/** The outcome of a payment, with the numbers behind an expired click. */
export function OutcomeCell({ outcome, passed }: Pick<PaymentRow, "outcome" | "passed">) {
  const { age_days = null, cookie_duration = null } = passed ?? {};
  const has_days = outcome === "click_expired" && age_days !== null && cookie_duration !== null;
  return (
    <State tone={toneOf(outcome)}>
      <span className={outcome === "commission" ? "" : "text-ink"}>{labels[outcome]}</span>
      {has_days && <span className="text-muted">, {texts.days_of(age_days, cookie_duration)}</span>}
    </State>
  );
}

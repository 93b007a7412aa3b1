import type { EarningChange, ReversedBy } from "@findersfee/contract/attribution/reversals";
import type { StateTone } from "@findersfee/ui/components/state";
import { actorOf } from "../audit-log/link/actor.ts";
import { labels, sentences, toneOf } from "./outcome-texts.ts";
import type { PaymentRow } from "./queries.ts";
import { reversal_texts as texts } from "./reversal-texts.ts";

/** What a payment's own page says of its outcome. */
export function sentenceNow({ outcome, remaining }: Pick<Outcome, "outcome" | "remaining">): string {
  const is_gone = outcome === "commission" && remaining !== null && remaining.amount <= 0;
  return is_gone ? texts.earned_and_gone : sentences[outcome];
}

/** The name of a change of a commission: `Refund`, `Voided by Morgan`. */
export function changeName({ kind, amount, actor, actor_name }: EarningChange): string {
  switch (kind) {
    case "refund":
    case "dispute":
    case "refund_and_dispute":
      return (amount < 0 ? texts.taken : texts.returned)[kind];
    case "changed":
    case "voided":
    case "restored": {
      const name = texts.changes[kind];
      return actor === null ? name : texts.by(name, actorOf({ actor, actor_name }));
    }
  }
}

/** The state of a void commission: why, if its payment was taken back. */
export function voidWord(by: ReversedBy): string {
  return by === null ? texts.voided : texts.gone[by];
}

type Outcome = Pick<
  PaymentRow,
  "outcome" | "remaining" | "taken_back_by" | "taken_back_amount" | "paid_amount"
>;

/** The present outcome of a payment: a commission without a rest is no success. */
export function outcomeNow(row: Outcome): { label: string; tone: StateTone } {
  const { outcome, remaining, taken_back_by, taken_back_amount, paid_amount } = row;
  const label = labels[outcome];
  if (remaining === null) return { label, tone: toneOf(outcome) };
  if (remaining.amount <= 0) {
    const is_gone = taken_back_amount > 0 && taken_back_amount >= paid_amount;
    return { label: voidWord(is_gone ? taken_back_by : null), tone: "stopped" };
  }
  const tone = "done";
  if (taken_back_by === null || taken_back_amount === 0) return { label, tone };
  return { label: `${label}, ${texts.partly[taken_back_by]}`, tone };
}

import type { Story } from "./queries.ts";

/** The names of texts. */
type RelatedLabel = "related_reversal" | "related_original" | "related_corrected" | "related_adjustment";

/** Something that happened to a commission or an adjustment, or will. */
export type Moment = { key: string; at: string } & (
  | { kind: "source"; source: NonNullable<Story["source"]>; at: string }
  | { kind: "payment"; payment: NonNullable<Story["payment"]> }
  | { kind: "manual" }
  | { kind: "lead"; lead: string }
  | { kind: "recruit" }
  | { kind: "adjustment"; reason: string }
  | { kind: "entry"; entry: Story["entries"][number] }
  | { kind: "payable" }
  | { kind: "payout"; payout: NonNullable<Story["payout"]> }
  | { kind: "related"; related: Story["related"][number]; label: RelatedLabel }
);

/** Everything in the order of time. At the same time, the cause comes before its result. */
export function momentsOf(story: Story): Moment[] {
  const { earning, source, payment, entries, related, payout } = story;
  const { adjustment } = earning;
  const moments: Moment[] = [];
  if (adjustment !== null) {
    const at = earning.created_at;
    moments.push({ kind: "adjustment", key: "adjustment", at, reason: adjustment.reason });
  } else if (earning.reversal_of === null) {
    if (source !== null) {
      const at = source.clicked_at ?? payment?.paid_at ?? earning.referral_date;
      moments.push({ kind: "source", key: "source", at, source });
    }
    const { lead, recruit } = earning;
    if (recruit !== null) moments.push({ kind: "recruit", key: "recruit", at: earning.referral_date });
    else if (lead !== null) moments.push({ kind: "lead", key: "lead", at: earning.referral_date, lead });
    else if (payment === null) moments.push({ kind: "manual", key: "manual", at: earning.created_at });
    else moments.push({ kind: "payment", key: "payment", at: payment.paid_at, payment });
  }
  for (const [index, entry] of entries.entries()) {
    moments.push({ kind: "entry", key: `entry ${index}`, at: entry.at, entry });
  }
  for (const one of related) {
    moments.push({
      kind: "related",
      key: one.id,
      at: one.created_at,
      related: one,
      label: labelOf(one, earning),
    });
  }
  // An adjustment has no holding period.
  if (adjustment === null && (earning.state === "held" || earning.state === "due")) {
    // Without a holding period, it is earned first.
    const earned_at = entries[0]?.at ?? earning.created_at;
    const at = Date.parse(earning.payable_at) < Date.parse(earned_at) ? earned_at : earning.payable_at;
    moments.push({ kind: "payable", key: "payable", at });
  }
  if (payout !== null) moments.push({ kind: "payout", key: "payout", at: payout.status_at, payout });
  return moments.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function labelOf(
  related: Story["related"][number],
  { reversal_of, adjustment }: Story["earning"],
): RelatedLabel {
  if (related.adjustment !== null) return "related_adjustment";
  if (related.commission_amount < 0) return "related_reversal";
  if (reversal_of !== null) return "related_original";
  return adjustment === null ? "related_reversal" : "related_corrected";
}

import type { Story } from "./queries.ts";

/** A past or future event of a commission. */
export type Moment = { at: string; key: string } & (
  | { kind: "click"; candidate: Story["candidates"][number]; click: Click }
  | { kind: "payment"; decision: NonNullable<Story["decision"]> }
  | { kind: "lead"; lead: NonNullable<Story["lead"]> }
  | { kind: "ledger"; entry: Story["ledger"][number] }
  | { kind: "change"; change: Story["changes"][number] }
  | { kind: "taken_back"; part: Story["taken_back"][number]; is_return: boolean }
  | { kind: "payable" }
  | { kind: "payout"; payout: NonNullable<Story["payout"]>; is_paid: boolean }
  | { kind: "related"; related: Related; is_reversal: boolean }
);

type Related = Story["related"][number] & { currency: string };
type Click = NonNullable<Story["candidates"][number]["click"]>;

/** Everything in the order of time. At the same time, the cause comes before its result. */
export function momentsOf(story: Story): Moment[] {
  const { commission, candidates, decision, lead, taken_back, ledger, changes, payout, related } = story;
  const moments: Moment[] = candidates.flatMap((candidate) => {
    const { click, reference } = candidate;
    return click === null ? [] : { kind: "click", at: click.clicked_at, key: reference, candidate, click };
  });
  if (decision !== null) moments.push({ kind: "payment", at: decision.paid_at, key: "payment", decision });
  if (lead !== null) moments.push({ kind: "lead", at: lead.occurred_at, key: "lead", lead });
  for (const part of taken_back) {
    const { at, until, subject } = part;
    moments.push({ kind: "taken_back", at, key: subject, part, is_return: false });
    if (until !== null) {
      moments.push({ kind: "taken_back", at: until, key: `${subject} back`, part, is_return: true });
    }
  }
  for (const change of changes)
    moments.push({ kind: "change", at: change.created_at, key: change.id, change });
  for (const entry of ledger) {
    moments.push({ kind: "ledger", at: entry.created_at, key: entry.number, entry });
  }
  if (payout !== null) {
    moments.push({ kind: "payout", at: payout.created_at, key: "put", payout, is_paid: false });
    if (payout.status === "paid") {
      moments.push({ kind: "payout", at: payout.status_at, key: "paid", payout, is_paid: true });
    }
  }
  for (const item of related) {
    const { currency } = commission;
    const is_reversal = commission.reversal_of === null;
    moments.push({
      kind: "related",
      at: item.created_at,
      key: item.id,
      related: { ...item, currency },
      is_reversal,
    });
  }
  if (commission.state === "held" || commission.state === "due") {
    // The holding period of a payment that was reported late may have ended before there was a commission.
    const { payable_at, created_at } = commission;
    const at = payable_at > created_at ? payable_at : (ledger.at(-1)?.created_at ?? created_at);
    moments.push({ kind: "payable", at, key: "payable" });
  }
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

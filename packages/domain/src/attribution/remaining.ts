import type { EarningChange, RemainingEarning } from "@findersfee/contract/attribution/reversals";
import type { PaymentDecisionRow } from "@findersfee/database/attribution/decisions";
import type { NamedLedgerEntryRow } from "@findersfee/database/ledger/entries";
import { toMajor } from "../money.ts";
import { type ReportedReversal, reversedBy } from "./reported-reversals.ts";

/** Entries of one transaction have times of their own. */
const SAME_CHANGE_MILLISECONDS = 10_000;
const PERSON = /^(user|key|affiliate) |^operator$/;

interface Ledger {
  commission_id: string;
  currency: string;
  /** On its payment; null: it names none. */
  decision: Pick<PaymentDecisionRow, "outcome" | "commission_id" | "commission_minor"> | null;
  /** The entries of the commission and its reversals, oldest first. */
  entries: readonly NamedLedgerEntryRow[];
  taken_back: readonly ReportedReversal[];
}

/**
 * The changes from a payment's earnings to their rest. They follow the ledger, so they always add up; refunds
 * from before the commission are in its first entry.
 */
export function remainingOf({
  commission_id,
  currency,
  decision,
  entries,
  taken_back,
}: Ledger): RemainingEarning {
  const first = entries.findLastIndex((entry) => entry.commission_id === commission_id && isEarned(entry));
  const earned = entries[first];
  const sum = (rows: readonly NamedLedgerEntryRow[]) =>
    rows.reduce((total, { unpaid_minor }) => total + unpaid_minor, 0n);
  const amount = toMajor(sum(entries), currency);
  if (earned === undefined) return { changes: [], amount };
  const changes: EarningChange[] = [];
  // A manual commission, and one that would earn nothing by now, begins as the ledger has it.
  const is_decided = decision?.outcome === "commission" && decision.commission_id === commission_id;
  const start = is_decided ? decision.commission_minor : earned.unpaid_minor;
  if (earned.unpaid_minor !== start) {
    const before = taken_back.filter(({ at }) => new Date(at) <= earned.created_at);
    const kind = (earned.unpaid_minor < start ? reversedBy(before) : null) ?? "changed";
    changes.push({
      kind,
      amount: toMajor(earned.unpaid_minor - start, currency),
      actor: null,
      actor_name: null,
      at: earned.created_at.toISOString(),
    });
  }
  const others = entries.slice(first + 1).filter(({ unpaid_minor }) => unpaid_minor !== 0n);
  changes.push(...others.map((entry) => changeOf(entry, { earned, taken_back, currency })));
  return { changes, amount };
}

const isEarned = ({ kind }: NamedLedgerEntryRow) => kind === "earned";

function changeOf(
  { kind, unpaid_minor, cause, cause_name, created_at }: NamedLedgerEntryRow,
  { earned, taken_back, currency }: Pick<Ledger, "taken_back" | "currency"> & { earned: NamedLedgerEntryRow },
): EarningChange {
  const rest = { amount: toMajor(unpaid_minor, currency), at: created_at.toISOString() };
  // A manual commission for a payment that was refunded before is reduced when it is created.
  const is_creation =
    cause === earned.cause &&
    created_at.getTime() - earned.created_at.getTime() < SAME_CHANGE_MILLISECONDS &&
    taken_back.length > 0;
  if (PERSON.test(cause) && !is_creation) {
    const named = kind === "voided" || kind === "restored" ? kind : "changed";
    return { ...rest, kind: named, actor: cause, actor_name: cause_name };
  }
  const causes = cause.split(", ");
  const named = taken_back.filter((part) => causes.includes(part.cause));
  const by = reversedBy(named.length > 0 ? named : taken_back) ?? "changed";
  return { ...rest, kind: by, actor: null, actor_name: null };
}

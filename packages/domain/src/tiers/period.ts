import { addDays, type Days, startOf } from "@findersfee/contract/reports/periods";
import { piecesOf } from "@findersfee/database/reports/totals/pieces";
import type { TiersRow } from "@findersfee/database/rows";
import type { TierPieceRow } from "@findersfee/database/tiers/evaluations";

type Period = TiersRow["period"];

/** Before all totals. */
const BEGINNING = "2000-01-01";
const WINDOW_DAYS = 90;

/** The days that are measured at the end of a day. */
export function daysOf(period: Period, day: string): Days {
  const until = addDays(day, 1);
  switch (period) {
    case "month":
      return { from: startOf(day, "month"), until };
    case "last_90_days":
      return { from: addDays(until, -WINDOW_DAYS), until };
    case "all_time":
      return { from: BEGINNING, until };
  }
}

/** The period in which a bonus is paid once, by its first day. */
export function bonusPeriodOf(period: Period, day: string): string {
  return period === "month" ? startOf(day, "month") : "-infinity";
}

/**
 * The spans of the totals that are measured at the end of a day. `bonuses_from`: the day from which bonuses
 * were offered; a tier that was reached before it in the same period gives none. Null: bonuses do not matter.
 */
export function measuredPieces(
  period: Period,
  { day, bonuses_from }: { day: string; bonuses_from: string | null },
): TierPieceRow[] {
  const days = daysOf(period, day);
  const present = piecesOf(days).map((piece) => ({ ...piece, before_sign: 0 }));
  if (bonuses_from === null) return present;
  const before = daysOf(period, addDays(bonuses_from < days.until ? bonuses_from : days.until, -1));
  // The first month is a new one after the month in which bonuses were offered.
  if (period === "month" && before.from !== days.from) return present;
  return [
    ...present,
    ...piecesOf(before).map(({ sign, ...piece }) => ({ ...piece, sign: 0, before_sign: sign })),
  ];
}

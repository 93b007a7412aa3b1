import { createHash } from "node:crypto";
import { MAX_HELD_DATES } from "@findersfee/contract/portal/held-dates";
import {
  HOME_DAYS,
  HOME_EARNINGS,
  type Home,
  MAX_DEDUCTIONS,
  type NextPayout,
  type Pulse,
} from "@findersfee/contract/portal/home";
import {
  type DeductionRow,
  findPayoutTerms,
  listAffiliateDays,
  listDeductions,
  listOwed,
  type OwedRow,
  type OwnAffiliate,
  type PayoutTermsRow,
  readPulse,
} from "@findersfee/database/portal/home";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";
import { toMajor } from "../money.ts";
import { nextRunOn } from "../payouts/runs/calendar.ts";
import { minimumIn } from "../payouts/runs/minimum.ts";
import type { AffiliateSession } from "../principal.ts";
import { type ConvertedOwed, convertOwed, outcomeOf, viewPaidIn } from "./converted-owed.ts";
import { listNewestEarnings } from "./earnings.ts";
import { viewLastDays } from "./last-days.ts";
import { ownOf } from "./own.ts";

/** The first page of the portal. Errors: `not_an_affiliate` if the affiliate disappeared within the last second. */
export async function getHome(database: Database, session: AffiliateSession): Promise<Home> {
  const own = ownOf(session);
  const now = new Date();
  // Read first: changes during the other reads make the next pulse differ.
  const { pulse } = await getPulse(database, session);
  const [payouts, days, newest] = await Promise.all([
    getNextPayouts(database, session, now),
    listAffiliateDays(database, { ...own, now, days: HOME_DAYS }),
    listNewestEarnings(database, own, { limit: HOME_EARNINGS, now }),
  ]);
  return { pulse, payouts, last_days: viewLastDays(days, session.organization), newest };
}

const HOUR_MILLISECONDS = 60 * 60_000;

/**
 * Differs whenever the first page shows something else. It differs in each hour, since time alone changes the page: held
 * commissions become due, and days pass.
 */
export async function getPulse(database: Database, session: AffiliateSession): Promise<Pulse> {
  const row = await readPulse(database, ownOf(session));
  if (row === null) throw new DomainError("not_an_affiliate");
  const hour = Math.floor(Date.now() / HOUR_MILLISECONDS);
  // Hashed: the numbers of entries and rows count all organizations' rows.
  const hash = createHash("sha256").update([hour, ...Object.values(row)].join(" "));
  return { pulse: hash.digest("base64url").slice(0, 16) };
}

/** The amounts that the next payout run pays an affiliate, by currency. */
async function getNextPayouts(
  database: Database,
  session: AffiliateSession,
  now: Date,
): Promise<Home["payouts"]> {
  const own: OwnAffiliate = ownOf(session);
  const terms = await findPayoutTerms(database, own);
  if (terms === null) throw new DomainError("not_an_affiliate");
  const next_on = nextRunOn(terms, now);
  const { time_zone } = terms;
  const rows = await listOwed(database, { ...own, now, next_on, time_zone });
  const first = session.organization.currency;
  const paid_in = await convertOwed(database, own, { terms, rows, now });
  const is_negative = rows.some((row) => row.unpaid_minor < row.held_then_minor);
  const deductions = is_negative ? await listDeductions(database, { ...own, limit: MAX_DEDUCTIONS }) : [];
  return {
    next_on,
    time_zone,
    payout_email: terms.payout_email,
    withheld_until: terms.withheld_until?.toISOString() ?? null,
    ...(paid_in.total === null ? {} : { paid_in: paid_in.total }),
    currencies: rows
      .sort((a, b) => Number(b.currency === first) - Number(a.currency === first))
      .map((row) => viewNextPayout(row, { terms, deductions, paid_in })),
  };
}

function viewNextPayout(
  row: OwedRow,
  {
    terms: { is_withheld },
    deductions,
    paid_in,
  }: { terms: PayoutTermsRow; deductions: readonly DeductionRow[]; paid_in: ConvertedOwed },
): NextPayout {
  const { currency, unpaid_minor, held_minor, held_then_minor, in_review_minor } = row;
  const major = (minor: bigint) => toMajor(minor, currency);
  const minimum_minor = minimumIn(currency, paid_in.minimum_payouts);
  const due_then_minor = unpaid_minor - held_then_minor;
  const named = due_then_minor < 0n ? deductions.filter((one) => one.currency === currency) : [];
  const outcome = outcomeOf(
    { due_minor: due_then_minor, held_minor: held_then_minor, is_withheld, currency },
    { minimum_minor, paid_in },
  );
  return {
    currency,
    outcome: outcome === "held" && held_then_minor === in_review_minor ? "in_review" : outcome,
    amount: major(due_then_minor),
    minimum: major(minimum_minor),
    ...viewPaidIn(currency, paid_in),
    due: major(unpaid_minor - held_minor),
    held: major(held_minor - in_review_minor),
    in_review: major(in_review_minor),
    held_until: heldDates(row),
    in_payout: major(row.in_payout_minor),
    paid: major(row.paid_minor),
    deductions: named.map(({ id, reason, amount_minor, created_at }) => ({
      id,
      reason,
      amount: major(amount_minor),
      created_at: created_at.toISOString(),
    })),
  };
}

/** The first days on which held commissions become due. All later ones are summed up as the last one. */
function heldDates({ held_days, currency }: OwedRow): NextPayout["held_until"] {
  const days = held_days.map(({ on, minor }) => ({ on, minor: BigInt(minor) }));
  const shown = days.slice(0, MAX_HELD_DATES - 1);
  const later = days.slice(shown.length);
  const last = later.at(-1);
  const rest = last && { on: last.on, minor: later.reduce((sum, { minor }) => sum + minor, 0n) };
  return [...shown, ...(rest ? [rest] : [])].map(({ on, minor }) => ({
    on,
    amount: toMajor(minor, currency),
  }));
}

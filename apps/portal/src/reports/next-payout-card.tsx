import { Card } from "@findersfee/ui/components/card";
import { Link } from "@findersfee/ui/navigation";
import { useTexts } from "../language/language.tsx";
import { type Formats, useFormats } from "../language/use-formats.ts";
import { useSession } from "../session/session.tsx";
import type { Texts } from "../texts/texts.ts";
import { DueAndHeld } from "./due-and-held.tsx";
import type { Home, NextPayout } from "./queries.ts";

/** The date of the next payout, and its amount in each currency. */
export function NextPayoutCard({
  payouts: { next_on, time_zone, currencies, payout_email, withheld_until, paid_in },
}: {
  payouts: Home["payouts"];
}) {
  const { home, commissions } = useTexts();
  const formats = useFormats();
  const { me, program } = useSession();
  const has_held = currencies.some(({ held }) => held > 0);
  const sentences = currencies.map((next) =>
    sentenceOf(next, {
      home,
      commissions,
      formats,
      next_on,
      withheld_until,
      paid_in,
      organization: program.organization_name,
    }),
  );
  // What all currencies say stands once above them.
  const is_shared = sentences.length > 1 && new Set(sentences).size === 1;
  return (
    <Card title={titleOf(currencies, { home, formats, next_on })}>
      {currencies.length === 0 ? (
        <p className="text-muted">{home.nothing_yet}</p>
      ) : (
        <div className="grid gap-6 divide-y divide-line *:not-last:pb-6">
          {is_shared && <p className="text-muted">{sentences[0]}</p>}
          {currencies.map((next, index) => (
            <OfCurrency key={next.currency} next={next} sentence={is_shared ? undefined : sentences[index]} />
          ))}
        </div>
      )}
      {paid_in !== undefined && currencies.length > 0 && (
        <p className="mt-4 border-t border-line pt-3 font-medium">
          {home.paid_in(formats.money(paid_in.amount, paid_in.currency), paid_in.currency)}
        </p>
      )}
      {currencies.length > 0 && (
        <p dir="auto" className="mt-4 border-t border-line pt-3 text-table text-muted">
          {home.payouts_go_to(payout_email ?? me.email)}
          {has_held && ` ${home.held_hint}`}
          {(has_held || next_on !== null) && ` ${home.days_in(time_zone)}`}
        </p>
      )}
    </Card>
  );
}

/** The day of the next payout only where it can pay something, then or once more is earned. */
function titleOf(
  currencies: readonly NextPayout[],
  { home, formats, next_on }: { home: Texts["home"]; formats: Formats; next_on: string | null },
): string {
  const waits = ({ outcome }: NextPayout) => outcome === "negative" || outcome === "withheld";
  if (currencies.length > 0 && currencies.every(waits)) return home.balance;
  return next_on === null ? home.next_payout : home.next_payout_on(formats.date(next_on));
}

function OfCurrency({ next, sentence }: { next: NextPayout; sentence: string | undefined }) {
  const { home } = useTexts();
  const formats = useFormats();
  const { currency, amount, in_payout, paid, deductions } = next;
  const { money } = formats;
  return (
    <div className="grid gap-3">
      <div>
        <p className="text-figure font-medium tracking-[-0.022em] tabular-nums">{money(amount, currency)}</p>
        {sentence !== undefined && <p className="mt-1 text-muted">{sentence}</p>}
        {next.paid_in?.amount != null && (
          <p className="text-muted">{home.about_today(money(next.paid_in.amount, next.paid_in.currency))}</p>
        )}
      </div>
      {deductions.length > 0 && (
        <ul className="grid gap-1 text-table">
          {deductions.map(({ id, reason, amount: taken, created_at }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0">
                <Link to={`/earnings/${id}`} className="underline underline-offset-2">
                  <bdi className="wrap-anywhere">{reason}</bdi>
                </Link>
                <span className="text-muted"> · {formats.day(created_at)}</span>
              </span>
              <span className="tabular-nums">{money(taken, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <DueAndHeld next={next} />
      {(in_payout !== 0 || paid !== 0) && (
        <dl className="flex flex-wrap gap-x-8 gap-y-1 text-table">
          {in_payout !== 0 && <Figure label={home.in_payout} value={money(in_payout, currency)} />}
          {paid !== 0 && <Figure label={home.paid} value={money(paid, currency)} />}
        </dl>
      )}
    </div>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{label}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

/** The outcome of the next payout for the amount. */
function sentenceOf(
  { outcome, currency, amount, minimum, deductions }: NextPayout,
  {
    home,
    commissions,
    formats: { money, date, day },
    next_on,
    withheld_until,
    paid_in,
    organization,
  }: {
    home: Texts["home"];
    commissions: Texts["commissions"];
    formats: Formats;
    next_on: string | null;
    withheld_until: string | null;
    paid_in: Home["payouts"]["paid_in"];
    organization: string;
  },
): string {
  // A converted amount reaches the minimum with the others.
  const sum = paid_in ?? { currency, amount, minimum };
  switch (outcome) {
    case "included":
      return next_on === null ? home.included_by_hand(organization) : home.included(date(next_on));
    case "below_minimum":
      return `${home.below_minimum(money(sum.minimum, sum.currency))} ${home.below_minimum_missing(money(sum.minimum - sum.amount, sum.currency))}`;
    case "negative":
      return deductions.length === 0 ? home.negative : home.carried_forward(money(amount, currency));
    case "held":
      return next_on === null ? home.held_by_hand : home.held(date(next_on));
    case "in_review":
      return commissions.in_review(organization);
    case "withheld":
      return withheld_until === null
        ? home.withheld(organization)
        : home.withheld_until(day(withheld_until), organization);
    case "rate_missing":
      return home.rate_missing(sum.currency);
    case "nothing":
      return home.nothing;
  }
}

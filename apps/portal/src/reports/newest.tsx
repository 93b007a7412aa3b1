import { Card } from "@findersfee/ui/components/card";
import { Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { Status } from "../commissions/status.tsx";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Home } from "./queries.ts";

/** The newest commissions. Those that came while the page was open stand out. */
export function Newest({ earnings, isNew }: { earnings: Home["newest"]; isNew: (id: string) => boolean }) {
  const { home } = useTexts();
  const { day, gain } = useFormats();
  return (
    <Card
      title={home.newest}
      beside={
        earnings.length > 0 && (
          <Link
            to="/earnings"
            className="-my-2 inline-flex min-h-11 shrink-0 items-center text-table text-muted underline underline-offset-2 hover:text-ink"
          >
            {home.all_earnings}
          </Link>
        )
      }
    >
      {earnings.length === 0 ? (
        <p className="text-muted">{home.no_commissions}</p>
      ) : (
        <ul className="-mx-4 -mb-2">
          {earnings.map((earning) => {
            const { id, customer, adjustment, commission_amount, currency, state, referral_date } = earning;
            return (
              <li
                key={id}
                className={`relative border-t border-line px-4 py-2.5 hover:bg-hover ${isNew(id) ? "bg-pick" : ""}`}
              >
                <p className="flex justify-between gap-4">
                  <Link
                    to={`/earnings/${id}`}
                    className="min-w-0 font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                  >
                    <Untrusted lines={1}>{adjustment?.reason ?? customer ?? ""}</Untrusted>
                  </Link>
                  <span
                    className={`shrink-0 font-medium tabular-nums ${state === "voided" ? "text-muted line-through" : ""}`}
                  >
                    {gain(commission_amount, currency)}
                  </span>
                </p>
                <p className="flex justify-between gap-4 text-table text-muted">
                  <time dateTime={referral_date} className="shrink-0">
                    {day(referral_date)}
                  </time>
                  <Status earning={earning} />
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

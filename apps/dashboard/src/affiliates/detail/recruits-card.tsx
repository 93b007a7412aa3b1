import { Card } from "@findersfee/ui/components/card";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { useSession } from "../../session/session.tsx";
import { nameOf } from "../name.ts";
import type { Detail } from "../queries.ts";
import { texts } from "./texts.ts";

/** The recruits of an affiliate, with its share of their commissions. */
export function RecruitsCard({ detail: { recruits } }: { detail: Detail }) {
  const { home } = useSession();
  if (recruits.length === 0) return null;
  return (
    <Card title={texts.recruits}>
      <ul className="grid gap-2 text-table">
        {recruits.map(({ id, percent, until, earned, ...person }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4">
            <Link
              to={`${home}/affiliates/${id}`}
              className="min-w-0 text-accent underline underline-offset-2"
            >
              <Untrusted lines={1}>{nameOf(person)}</Untrusted>
            </Link>
            <span className="flex flex-wrap gap-x-2 font-medium tabular-nums">
              {earned.length === 0
                ? texts.recruit_earned_nothing
                : earned.map(({ currency, amount }) => (
                    <Money key={currency} amount={amount} currency={currency} />
                  ))}
            </span>
            <span className="basis-full text-muted">
              {texts.recruit_terms(percent)} <Time at={until} show="day" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

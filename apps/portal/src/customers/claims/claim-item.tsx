import { useClock } from "@findersfee/ui/components/clock";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { formatDay } from "@findersfee/ui/formats/dates";
import { Link } from "@findersfee/ui/navigation";
import { ChevronRight } from "lucide-react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import type { Claim } from "./queries.ts";

const TONES: Record<Claim["state"], StateTone> = { open: "waiting", accepted: "done", declined: "stopped" };

/** A report with its answer. */
export function ClaimItem({ claim }: { claim: Claim }) {
  const { claims } = useTexts();
  const clock = useClock();
  const { program } = useSession();
  const { email, paid_on, note, state, answer, commission_id, created_at } = claim;
  const bought = formatDay(new Date(paid_on), { ...clock, time_zone: "UTC" });
  return (
    <li className="grid grid-cols-1 gap-2 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {email}
        </p>
        <span className="text-table">
          <State tone={TONES[state]}>{claims.states[state]}</State>
        </span>
      </div>
      <p className="text-table text-muted">
        {claims.bought_on(bought)}, {claims.reported_on(formatDay(new Date(created_at), clock))}
      </p>
      {answer !== null && (
        <blockquote className="rounded-control bg-sunk px-4 py-3">
          <p className="text-meta text-muted">
            <bdi>{claims.answer(program.organization_name)}</bdi>
          </p>
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {answer}
          </p>
        </blockquote>
      )}
      {commission_id !== null && (
        <p>
          <Link
            to={`/earnings/${commission_id}`}
            className="inline-flex min-h-11 items-center text-accent underline"
          >
            {claims.to_commission}
          </Link>
        </p>
      )}
      <details className="group">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 text-table text-muted hover:text-ink">
          <ChevronRight aria-hidden size={16} className="-ml-0.5 group-open:rotate-90" />
          {claims.your_words}
        </summary>
        <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {note}
        </p>
      </details>
    </li>
  );
}

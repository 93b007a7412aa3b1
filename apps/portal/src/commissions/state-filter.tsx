import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { Link } from "@findersfee/ui/navigation";
import { useTexts } from "../language/language.tsx";
import { addressOf, STATES } from "./search.ts";

const CHOICE =
  "flex h-11 shrink-0 items-center rounded-control border border-transparent px-3 text-table text-muted hover:bg-hover hover:text-ink aria-[current]:border-rule aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink";

/** The states as links, which the address keeps. Few programs review commissions: the home links to those in review. */
export function StateFilter({ chosen }: { chosen: CommissionState | undefined }) {
  const { commissions, earnings } = useTexts();
  return (
    <nav aria-label={earnings.state} className="-mx-1 mb-2 flex flex-wrap gap-1">
      <Link to="/earnings" aria-current={chosen === undefined ? "true" : undefined} className={CHOICE}>
        {earnings.all}
      </Link>
      {STATES.filter((state) => state !== "in_review" || state === chosen).map((state) => (
        <Link
          key={state}
          to={addressOf({ state })}
          aria-current={chosen === state ? "true" : undefined}
          className={CHOICE}
        >
          {commissions.states[state]}
        </Link>
      ))}
    </nav>
  );
}

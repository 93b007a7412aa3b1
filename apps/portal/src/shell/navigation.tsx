import { Link } from "@findersfee/ui/navigation";
import { Ellipsis } from "lucide-react";
import { useTexts } from "../language/language.tsx";
import { MENU } from "./menu.tsx";
import type { Place } from "./places.ts";

/** The pages of a program in the header. */
export function HeaderLinks({ places }: { places: readonly Place[] }) {
  const { frame } = useTexts();
  return (
    <nav aria-label={frame.pages} className="ml-4 flex shrink-0 items-center max-links:hidden">
      {places.map(({ to, label, current }) => (
        <Link
          key={to}
          to={to}
          aria-current={current ? "page" : undefined}
          className="-mb-px flex h-15 items-center border-b-2 border-transparent px-3 text-table text-muted hover:text-ink focus-visible:-outline-offset-4 aria-[current]:border-accent-line aria-[current]:font-medium aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

const ITEM =
  "grid min-h-14 flex-auto content-center justify-items-center gap-0.5 text-meta text-muted focus-visible:-outline-offset-4 aria-[current]:font-medium aria-[current]:text-accent";

/** The pages of a program at the bottom of a phone. */
export function BottomBar({ places, is_elsewhere }: { places: readonly Place[]; is_elsewhere: boolean }) {
  const { frame } = useTexts();
  return (
    <nav
      aria-label={frame.pages}
      className="fixed inset-x-0 bottom-0 z-10 flex border-t border-line bg-page pb-[env(safe-area-inset-bottom)] links:hidden print:hidden"
    >
      {places.map(({ to, label, icon: Icon, current }) => (
        <Link key={to} to={to} aria-current={current ? "page" : undefined} className={ITEM}>
          <Icon aria-hidden size={20} />
          {label}
        </Link>
      ))}
      <button type="button" popoverTarget={MENU} aria-current={is_elsewhere || undefined} className={ITEM}>
        <Ellipsis aria-hidden size={20} />
        {frame.more}
      </button>
    </nav>
  );
}

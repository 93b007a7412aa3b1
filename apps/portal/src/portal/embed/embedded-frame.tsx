import { Link } from "@findersfee/ui/navigation";
import type { ReactNode } from "react";
import { useTexts } from "../../language/language.tsx";
import { SCREENS } from "../../screens.ts";
import { OfflineBanner } from "../../shell/offline-banner.tsx";
import { placesOf } from "../../shell/places.ts";

/** The addresses of screens that are not there. */
const MISSING = new Set(SCREENS.filter(({ embedded }) => embedded === false).map(({ path }) => path));

/** Around the pages in a frame: links to them, and nothing that the page around it has. */
export function EmbeddedFrame({
  path,
  children,
}: {
  /** The page that is shown; null: there are no others. */
  path: string | null;
  children: ReactNode;
}) {
  const texts = useTexts();
  const places = path === null ? [] : placesOf(path, texts).filter(({ to }) => !MISSING.has(to));
  return (
    <>
      {places.length > 1 && (
        <nav aria-label={texts.frame.pages} className="border-b border-line print:hidden">
          <div className="flex overflow-x-auto px-1 tablet:px-3">
            {places.map(({ to, label, current }) => (
              <Link
                key={to}
                to={to}
                aria-current={current ? "page" : undefined}
                className="-mb-px flex h-12 shrink-0 items-center border-b-2 border-transparent px-3 text-table text-muted hover:text-ink focus-visible:-outline-offset-4 aria-[current]:border-accent-line aria-[current]:font-medium aria-[current]:text-ink"
              >
                {label}
              </Link>
            ))}
          </div>
        </nav>
      )}
      <OfflineBanner />
      <main className="pb-6">{children}</main>
    </>
  );
}

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useId } from "react";
import { buttonClass } from "../components/button.tsx";
import { Link, useNavigation } from "../navigation.tsx";
import { useShortcuts } from "../shell/shortcuts.tsx";
import { useTexts } from "../texts.tsx";

const PAGE_SIZES = [25, 50, 100] as const;

export interface PagerProps {
  /** The addresses of the neighboring pages; null at the ends. */
  newer: string | null;
  older: string | null;
  size: number;
  onSize: (size: number) => void;
}

/** The neighboring pages, with the keys `n` and `p`, and the number of rows per page. */
export function Pager({ newer, older, size, onSize }: PagerProps) {
  const texts = useTexts();
  const { navigate } = useNavigation();
  const id = useId();
  useShortcuts([
    { keys: "n", label: texts.older, run: () => older !== null && navigate(older) },
    { keys: "p", label: texts.newer, run: () => newer !== null && navigate(newer) },
  ]);
  return (
    <div className="ml-auto flex items-center gap-2">
      <label htmlFor={id} className="text-meta text-muted max-wide:sr-only">
        {texts.rows_per_page}
      </label>
      <select
        id={id}
        value={size}
        onChange={(event) => onSize(Number(event.target.value))}
        className="h-8 max-wide:h-11 rounded-control border border-edge bg-page px-1 text-table"
      >
        {PAGE_SIZES.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      {(newer !== null || older !== null) && (
        <>
          <PageLink to={newer} label={texts.newer}>
            <ChevronLeft aria-hidden size={14} />
            {texts.newer}
          </PageLink>
          <PageLink to={older} label={texts.older}>
            {texts.older}
            <ChevronRight aria-hidden size={14} />
          </PageLink>
        </>
      )}
    </div>
  );
}

function PageLink({ to, label, children }: { to: string | null; label: string; children: React.ReactNode }) {
  if (to !== null) {
    return (
      <Link to={to} className={buttonClass("plain")}>
        {children}
      </Link>
    );
  }
  return (
    <button type="button" disabled aria-label={label} className={buttonClass("plain")}>
      {children}
    </button>
  );
}

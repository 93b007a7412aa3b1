import { Link } from "@findersfee/ui/navigation";
import { useHeading } from "@findersfee/ui/shell/heading";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";

/** A page below the header. Its heading gets the focus when the reader comes to it. */
export function Page({
  title,
  document_title,
  parent,
  beside,
  width = "full",
  children,
}: {
  title: string;
  /** Shown in the tab, before the name of the organization. */
  document_title: string;
  /** The list that it belongs to. */
  parent?: { to: string; label: string };
  beside?: ReactNode;
  width?: "full" | "text" | "narrow";
  children: ReactNode;
}) {
  const heading = useHeading(document_title);
  return (
    <div className={WIDTHS[width]}>
      <header className="pt-6 pb-4 tablet:pt-9">
        {parent !== undefined && (
          <Link
            to={parent.to}
            className="-ml-1 inline-flex min-h-11 items-center gap-0.5 text-table text-muted hover:text-ink print:hidden"
          >
            <ChevronLeft aria-hidden size={16} />
            {parent.label}
          </Link>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1
            ref={heading}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 text-title font-semibold outline-none"
          >
            {title}
          </h1>
          {beside}
        </div>
      </header>
      {children}
    </div>
  );
}

const WIDTHS = {
  full: "mx-(--page-margin) w-full max-w-(--page-width) px-4 tablet:px-6",
  text: "mx-(--page-margin) w-full max-w-180 px-4 tablet:px-6",
  narrow: "mx-auto w-full max-w-100 px-4",
};

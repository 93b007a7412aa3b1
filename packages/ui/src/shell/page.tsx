import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "../navigation.tsx";
import { useHeading } from "./heading.ts";

export interface PageProps {
  title: string;
  /** Shown in the tab; the title unless given. */
  document_title?: string;
  /** The list that it belongs to. */
  parent?: { to: string; label: string };
  /** Beside the title, for example a count or a state. */
  beside?: ReactNode;
  /** A small link after the title and its neighbors. */
  link?: ReactNode;
  actions?: ReactNode;
  /** Addresses of its parts. */
  tabs?: ReactNode;
  /** Lists use the whole width; forms and stories are narrower. */
  width?: "full" | "text";
  children: ReactNode;
}

/** A page below the shell. */
export function Page({
  title,
  document_title,
  parent,
  beside,
  link,
  actions,
  tabs,
  width = "full",
  children,
}: PageProps) {
  const heading = useHeading(document_title ?? title);
  const has_beside = beside !== undefined && beside !== false;
  return (
    <div className={`px-8 max-full:px-6 max-wide:px-4 ${width === "text" ? "max-w-240" : ""}`}>
      <header className="pt-6 pb-3 max-wide:pt-4">
        {parent !== undefined && (
          <p className="flex items-center gap-1 text-table text-muted print:hidden">
            <Link to={parent.to} className="hover:text-ink hover:underline">
              {parent.label}
            </Link>
            <ChevronRight aria-hidden size={12} />
          </p>
        )}
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-6 gap-y-3 full:flex-nowrap full:items-start">
          <div
            className={`flex min-w-0 content-center items-baseline gap-x-3 full:min-h-8 ${has_beside ? "flex-wrap" : ""}`}
          >
            <h1
              ref={heading}
              tabIndex={-1}
              dir="auto"
              className="min-w-0 text-title font-semibold outline-none"
            >
              {title}
            </h1>
            {(has_beside || link !== undefined) && (
              <div className={`flex min-w-0 items-center gap-x-3 ${has_beside ? "" : "self-center"}`}>
                {has_beside && <div className="min-w-0 text-muted tabular-nums">{beside}</div>}
                {link}
              </div>
            )}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap gap-2 full:min-h-8 full:max-w-2/3 full:shrink-0 full:content-center full:justify-end">
              {actions}
            </div>
          )}
        </div>
      </header>
      {tabs}
      {children}
    </div>
  );
}

export interface PageTab {
  to: string;
  label: string;
  current: boolean;
  count?: number;
}

type Edges = "none" | "start" | "end" | "both";

/** Tabs that go on behind an edge fade out there. */
const FADES: Record<Edges, string> = {
  none: "",
  start: "mask-l-from-[calc(100%-32px)]",
  end: "mask-r-from-[calc(100%-32px)]",
  both: "mask-x-from-[calc(100%-32px)]",
};

/** Scrolls the current tab into view, and says behind which edges there are more. */
function useScrolledTabs(current: number) {
  const frame = useRef<HTMLElement>(null);
  const [edges, setEdges] = useState<Edges>("none");
  useEffect(() => {
    const nav = frame.current;
    const tab = nav?.children[current];
    if (!nav || !(tab instanceof HTMLElement)) return undefined;
    const look = () => {
      const start = nav.scrollLeft > 1;
      const end = nav.scrollLeft + nav.clientWidth < nav.scrollWidth - 1;
      setEdges(start ? (end ? "both" : "start") : end ? "end" : "none");
    };
    const observer = new ResizeObserver(() => {
      nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.clientWidth) / 2;
      look();
    });
    observer.observe(nav);
    nav.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      nav.removeEventListener("scroll", look);
    };
  }, [current]);
  return { frame, edges };
}

/** Parts of a page, each with an address. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { frame, edges } = useScrolledTabs(tabs.findIndex(({ current }) => current));
  return (
    <nav
      ref={frame}
      aria-label={label}
      className={`flex gap-5 overflow-x-auto border-b border-line max-wide:-mx-4 max-wide:[scrollbar-width:none] max-wide:px-4 ${FADES[edges]}`}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          {...(tab.current ? { "aria-current": "page" } : {})}
          className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-table text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-accent-line aria-[current]:font-medium aria-[current]:text-ink max-wide:h-11"
        >
          {tab.label}
          {tab.count !== undefined && <span className="text-meta tabular-nums">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}

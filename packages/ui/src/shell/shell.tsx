import { type LucideIcon, Menu as MenuIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigation } from "../navigation.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import { useTexts } from "../texts.tsx";

export interface NavigationItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** A number that needs attention, for example applications. */
  count?: number;
  current: boolean;
  /** In the bar at the bottom of a phone. */
  first?: boolean;
}

export interface NavigationSection {
  /** Null for the first, which needs no heading. */
  heading: string | null;
  items: readonly NavigationItem[];
}

export interface ShellProps {
  /** The switcher of organizations. */
  head: ReactNode;
  sections: readonly NavigationSection[];
  /** The person's menu. */
  foot: ReactNode;
  /** Above the page, for example "Test mode". */
  banner?: ReactNode;
  children: ReactNode;
}

/** The frame of all pages: a bar of 232 pixels at the left, of 56 below 1100, and at the bottom below 720. */
export function Shell({ head, sections, foot, banner, children }: ShellProps) {
  const texts = useTexts();
  return (
    <div className="min-h-dvh wide:grid wide:grid-cols-[56px_minmax(0,1fr)] full:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-raised focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-3 focus:py-2"
      >
        {texts.skip_to_content}
      </a>
      <header className="sticky top-0 flex h-dvh flex-col border-r border-line bg-sunk max-wide:hidden print:hidden">
        <div className="px-2 pt-3 pb-2">{head}</div>
        <SideBar sections={sections} />
        <div className="border-t border-line p-2">{foot}</div>
      </header>
      <div className="min-w-0 max-wide:pb-20 max-wide:[body:has([data-tray])_&]:pb-34">
        {banner}
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      <BottomBar head={head} sections={sections} foot={foot} />
    </div>
  );
}

/** How much of the rows before and after the current one shows. */
const BESIDE_PIXELS = 24;

/** The pages beside the content. A window that is too low for all of them shows the current one. */
function SideBar({ sections }: Pick<ShellProps, "sections">) {
  const texts = useTexts();
  const { onShown } = useNavigation();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const showCurrent = () => {
      const row = bar.current?.querySelector("[aria-current]");
      if (bar.current === null || row === null || row === undefined) return;
      const [frame, { top, bottom }] = [bar.current.getBoundingClientRect(), row.getBoundingClientRect()];
      if (top < frame.top) bar.current.scrollTop -= frame.top - top + BESIDE_PIXELS;
      if (bottom > frame.bottom) bar.current.scrollTop += bottom - frame.bottom + BESIDE_PIXELS;
    };
    showCurrent();
    return onShown?.(showCurrent);
  }, [onShown]);
  return (
    <nav ref={bar} aria-label={texts.menu} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      <Sections sections={sections} />
    </nav>
  );
}

function Sections({ sections, open = false }: { sections: readonly NavigationSection[]; open?: boolean }) {
  return sections.map(({ heading, items }) => (
    <div key={heading} className="not-first:mt-4">
      {heading !== null && (
        <h2 className={`px-2 pb-1 text-meta text-muted ${open ? "" : "not-full:sr-only"}`}>{heading}</h2>
      )}
      <ul>
        {items.map((item) => (
          <li key={item.to}>
            <NavigationRow item={item} open={open} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

function NavigationRow({ item, open }: { item: NavigationItem; open: boolean }) {
  const { to, label, icon: Icon, count, current } = item;
  const words = open ? "" : "not-full:sr-only";
  return (
    <Link
      to={to}
      title={label}
      {...(current ? { "aria-current": "page" } : {})}
      className={`flex items-center gap-2.5 rounded-control px-2 text-table text-muted hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink ${open ? "h-11" : "h-[30px] not-full:justify-center"}`}
    >
      <Icon aria-hidden size={16} className="shrink-0" />
      <span className={`min-w-0 flex-1 truncate ${words}`}>{label}</span>
      {count !== undefined && count > 0 && (
        <span className={`text-meta tabular-nums ${words}`}>{count > 99 ? "99+" : count}</span>
      )}
    </Link>
  );
}

/** On a phone: the first pages, and all others in a sheet. */
function BottomBar({ head, sections, foot }: Pick<ShellProps, "head" | "sections" | "foot">) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  const items = sections.flatMap((section) => section.items);
  const current = items.find((item) => item.current)?.to;
  const latest = useRef(current);
  useEffect(() => {
    if (latest.current !== current) setOpen(false);
    latest.current = current;
  }, [current]);
  return (
    <>
      <nav
        aria-label={texts.menu}
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-sunk pb-[env(safe-area-inset-bottom)] wide:hidden print:hidden"
      >
        {items
          .filter(({ first }) => first)
          .map(({ to, label, icon: Icon, current: is_current }) => (
            <Link
              key={to}
              to={to}
              {...(is_current ? { "aria-current": "page" } : {})}
              className="grid h-14 min-w-0 flex-auto content-center justify-items-center gap-0.5 text-meta text-muted aria-[current]:font-medium aria-[current]:text-ink"
            >
              <Icon aria-hidden size={18} />
              <span className="max-w-full truncate px-0.5">{label}</span>
            </Link>
          ))}
        <button
          type="button"
          aria-haspopup="dialog"
          data-current={current !== undefined && !items.some((item) => item.first && item.current)}
          onClick={() => setOpen(true)}
          className="grid h-14 min-w-0 flex-auto content-center justify-items-center gap-0.5 text-meta text-muted data-[current=true]:font-medium data-[current=true]:text-ink"
        >
          <MenuIcon aria-hidden size={18} />
          {texts.more}
        </button>
      </nav>
      <Dialog open={open} onClose={() => setOpen(false)} title={texts.menu} shape="sheet">
        <div className="grid gap-4">
          {head}
          <Sections sections={sections} open />
          {foot}
        </div>
      </Dialog>
    </>
  );
}

import { ChevronDown, ChevronUp, LoaderCircle, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button, IconButton } from "../components/button.tsx";
import { State, type StateTone } from "../components/state.tsx";
import { useTexts } from "../texts.tsx";

export interface TrayItem {
  id: string;
  title: string;
  /** Undefined while it runs. */
  tone?: StateTone;
  /** How far it is, or how it ended. */
  detail: ReactNode;
  /** From 0 to 1; null: not known. Undefined: it does not run. */
  progress?: number | null;
  action?: ReactNode;
  /** Takes it out of the tray. */
  onHide?: () => void;
}

export interface TrayProps {
  label: string;
  /** Its text while it is closed: "Exporting affiliates · 42%". */
  summary: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  items: readonly TrayItem[];
}

/** Long work, at the bottom right, above the pager of a list. Toasts appear above it. */
export function Tray({ label, summary, open, onOpen, items }: TrayProps) {
  const texts = useTexts();
  const id = useId();
  const running = items.some(({ progress }) => progress !== undefined);
  return (
    <section
      data-tray
      aria-label={label}
      className={`overlay-motion fixed right-4 bottom-14 z-20 ${open ? "w-[min(360px,calc(100vw-32px))]" : "max-w-[min(360px,calc(100vw-32px))]"} overflow-hidden rounded-card border border-rule bg-raised shadow-overlay max-wide:bottom-20 max-wide:[body:has([data-action-bar])_&]:bottom-32 print:hidden`}
    >
      {open && (
        <ul
          id={id}
          className="max-h-[min(50dvh,360px)] divide-y divide-line overflow-y-auto border-b border-line"
        >
          {items.map((item) => (
            <TrayRow key={item.id} item={item} hide={texts.close} />
          ))}
        </ul>
      )}
      <Button
        look="quiet"
        shape="row"
        className="h-9 justify-start rounded-none text-ink"
        aria-expanded={open}
        {...(open ? { "aria-controls": id } : {})}
        onClick={() => onOpen(!open)}
      >
        {running && (
          <LoaderCircle aria-hidden size={14} className="shrink-0 text-accent motion-safe:animate-spin" />
        )}
        <span className="min-w-0 flex-1 truncate text-left">{summary}</span>
        {open ? <ChevronDown aria-hidden size={14} /> : <ChevronUp aria-hidden size={14} />}
      </Button>
    </section>
  );
}

function TrayRow({ item, hide }: { item: TrayItem; hide: string }) {
  const { title, tone, detail, progress, action, onHide } = item;
  return (
    <li className="grid gap-1 py-2.5 pr-2 pl-3">
      <div className="flex min-h-6 items-center gap-2">
        <p className="min-w-0 flex-1 truncate text-table font-medium" title={title}>
          {tone === undefined ? title : <State tone={tone}>{title}</State>}
        </p>
        {action}
        {onHide !== undefined && (
          <IconButton label={hide} shape="tiny" onClick={onHide}>
            <X aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {progress !== undefined && <ProgressBar label={title} value={progress} />}
      <p className="text-meta text-muted tabular-nums">{detail}</p>
    </li>
  );
}

/** `value` from 0 to 1; null: not known. */
function ProgressBar({ label, value }: { label: string; value: number | null }) {
  return (
    <progress
      aria-label={label}
      max={1}
      {...(value === null ? {} : { value })}
      className="h-1 w-full appearance-none overflow-hidden rounded-control bg-hover [&::-moz-progress-bar]:bg-solid [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-solid"
    />
  );
}

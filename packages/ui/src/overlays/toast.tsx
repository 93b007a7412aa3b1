import { Check, TriangleAlert, X } from "lucide-react";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Button, IconButton } from "../components/button.tsx";
import { useTexts } from "../texts.tsx";
import { useLayers } from "./layers.tsx";

/** Milliseconds that a toast stays, not counting those under the pointer or with the focus. */
const TOAST_MILLISECONDS = 6000;
/** More would cover the page. */
const MAX_TOASTS = 3;

export interface Toast {
  text: string;
  tone?: "done" | "failed";
  /** For example Undo. The toast closes with it. */
  action?: { label: string; run: () => void };
  /** Replaces the toast with the same value: "Undone" replaces the change's. */
  about?: string;
}

interface ShownToast extends Toast {
  id: number;
  /** How many dialogs had been opened before. */
  opened: number;
}

const ToastContext = createContext<(toast: Toast) => void>(() => {
  throw new Error("toasts need a ToastProvider above them");
});

/** Returns a function that shows a toast. */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const next_id = useRef(0);
  const { opened } = useLayers();
  const show = useCallback(
    (toast: Toast) => {
      next_id.current += 1;
      const shown = { ...toast, id: next_id.current, opened: opened() };
      setToasts((all) => {
        const others = all.filter(({ about }) => about === undefined || about !== toast.about);
        return [...others.slice(1 - MAX_TOASTS), shown];
      });
    },
    [opened],
  );
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  return (
    <ToastContext value={show}>
      {children}
      <ToastHost toasts={toasts} onClose={close} />
    </ToastContext>
  );
}

interface HostProps {
  toasts: readonly ShownToast[];
  onClose: (id: number) => void;
}

/**
 * Toasts are in the topmost modal dialog, because everything outside of it is inert: on a phone above the dialog's buttons. Those from
 * before it was opened stay behind it: they would cover its title.
 */
function ToastHost({ toasts, onClose }: HostProps) {
  const { top, top_number } = useLayers();
  const isBehind = ({ opened }: ShownToast) => opened < top_number;
  const behind = toasts.filter(isBehind);
  const in_front = toasts.filter((toast) => !isBehind(toast));
  return (
    <>
      {behind.length > 0 && <Toasts toasts={behind} onClose={onClose} host={document.body} />}
      <Toasts toasts={in_front} onClose={onClose} host={top ?? document.body} />
    </>
  );
}

function Toasts({ toasts, onClose, host }: HostProps & { host: HTMLElement }) {
  return createPortal(
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2 max-wide:bottom-20 max-wide:[dialog_&]:top-4 print:hidden [body:has([data-tray])_&]:bottom-28 max-wide:[body:has([data-tray])_&]:bottom-32"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onClose={onClose} />
      ))}
    </div>,
    host,
  );
}

function ToastCard({ toast, onClose }: { toast: ShownToast; onClose: (id: number) => void }) {
  const texts = useTexts();
  const [held, setHeld] = useState(false);
  useCloseAfter(TOAST_MILLISECONDS, {
    held,
    close: useMemo(() => () => onClose(toast.id), [onClose, toast.id]),
  });
  const failed = toast.tone === "failed";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the toast
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="overlay-motion pointer-events-auto flex min-h-11 max-w-105 items-center gap-3 rounded-card border border-rule bg-raised py-1.5 pr-1.5 pl-3 shadow-overlay"
    >
      {failed ? (
        <TriangleAlert aria-hidden size={16} className="shrink-0 text-bad" />
      ) : (
        <Check aria-hidden size={16} className="shrink-0 text-good" />
      )}
      <p dir="auto" className="line-clamp-3 min-w-0 flex-1 py-1 text-table">
        {toast.text}
      </p>
      {toast.action !== undefined && (
        <Button
          look="plain"
          onClick={() => {
            toast.action?.run();
            onClose(toast.id);
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label={texts.close} onClick={() => onClose(toast.id)}>
        <X aria-hidden size={14} />
      </IconButton>
    </div>
  );
}

/** Calls `close` when that much time has passed in which nothing held it. */
function useCloseAfter(milliseconds: number, { held, close }: { held: boolean; close: () => void }) {
  const left = useRef(milliseconds);
  useEffect(() => {
    if (held) return undefined;
    const started_at = performance.now();
    const timer = setTimeout(close, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - started_at;
    };
  }, [held, close]);
}

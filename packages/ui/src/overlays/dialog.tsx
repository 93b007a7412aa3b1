import { X } from "lucide-react";
import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "../components/button.tsx";
import { useTexts } from "../texts.tsx";
import { useLayers } from "./layers.tsx";

const SHAPES = {
  middle: "m-auto w-[min(480px,calc(100vw-32px))] max-h-[calc(100dvh-64px)] rounded-dialog",
  wide: "m-auto w-[min(760px,calc(100vw-32px))] max-h-[calc(100dvh-64px)] rounded-dialog",
  /** From the bottom edge of a phone. */
  sheet:
    "mt-auto mb-0 mx-0 w-screen max-w-none max-h-[85dvh] rounded-t-dialog pb-[env(safe-area-inset-bottom)]",
} as const;

const TABBABLE = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled";

export interface DialogProps {
  open: boolean;
  /** Called for Escape, the close button and clicks beside the dialog. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons at its end. */
  actions?: ReactNode;
  shape?: keyof typeof SHAPES;
  /** Clicks beside it are ignored, and there is no close button: something is running. */
  locked?: boolean;
}

/** A modal dialog. Its content exists only while it is open, and the focus returns to where it was. */
export function Dialog({ open, onClose, title, children, actions, shape = "middle", locked }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const title_id = useId();
  const texts = useTexts();
  const { add, remove } = useLayers();

  // The content must be there before `showModal`, for the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || !open) return undefined;
    dialog.showModal();
    // showModal also focuses elements that Tab does not reach.
    dialog.querySelector<HTMLElement>(TABBABLE)?.focus();
    add(dialog);
    return () => {
      remove(dialog);
      dialog.close();
    };
    // Not the functions of the layers, which change with each dialog and do the same: showing it again would move the focus.
  }, [open]);

  const closeBeside = (event: PointerEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && !locked) onClose();
  };

  return (
    <dialog
      ref={element}
      aria-labelledby={title_id}
      onCancel={(event) => {
        event.preventDefault();
        // React lets the event bubble from a dialog inside of this one.
        if (event.target === event.currentTarget && !locked) onClose();
      }}
      onKeyDown={(event) => {
        // Browsers let a page refuse one Escape only, and close the dialog at the second.
        if (event.key === "Escape" && locked) event.preventDefault();
      }}
      onPointerDown={closeBeside}
      className={`overlay-motion overflow-hidden border border-rule bg-raised p-0 text-ink shadow-overlay ${SHAPES[shape]}`}
    >
      {open && (
        <div className="relative flex max-h-[inherit] flex-col">
          <h2
            id={title_id}
            className="py-4 pr-14 pl-5 text-lead font-semibold tracking-[-0.012em] wrap-anywhere"
          >
            {title}
          </h2>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
          {actions !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line bg-sunk px-5 py-3">
              {actions}
            </footer>
          )}
          {/* Last, so that the first control of the content gets the focus. */}
          {!locked && (
            <IconButton label={texts.close} onClick={onClose} className="absolute top-3 right-3">
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </div>
      )}
    </dialog>
  );
}

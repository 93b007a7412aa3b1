import { type KeyboardEvent, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { Button, type ButtonLook, type ButtonProps } from "../components/button.tsx";
import type { MenuItem } from "./items.ts";
import { MenuOverlay, preloadOverlays } from "./lazy.tsx";

export interface MenuProps {
  items: readonly MenuItem[];
  /** The content of the trigger. */
  children: ReactNode;
  /** Needed if the content is an icon. */
  label?: string;
  look?: ButtonLook;
  shape?: ButtonProps["shape"];
  align?: "start" | "end";
  className?: string;
}

/** A button that opens a menu. */
export function Menu({ items, children, label, look = "plain", shape, align, className }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const [by_keyboard, setByKeyboard] = useState(false);
  const want = () => {
    preloadOverlays();
    setWanted(true);
  };
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    want();
    setByKeyboard(true);
    setOpen(true);
  };
  return (
    <span className={`relative max-w-full ${shape === "row" ? "flex" : "inline-flex"}`}>
      <Button
        ref={button}
        id={id}
        look={look}
        {...(shape === undefined ? {} : { shape })}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(label === undefined ? {} : { "aria-label": label, title: label })}
        className={className ?? ""}
        onPointerEnter={want}
        onFocus={want}
        onKeyDown={openByArrow}
        onClick={({ detail }) => {
          want();
          setByKeyboard(detail === 0);
          setOpen(!open);
        }}
      >
        {children}
      </Button>
      {wanted && (
        <Suspense>
          <MenuOverlay
            open={open}
            by_keyboard={by_keyboard}
            onOpenChange={setOpen}
            trigger={button}
            labelled_by={id}
            items={items}
            {...(align === undefined ? {} : { align })}
          />
        </Suspense>
      )}
    </span>
  );
}

import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { Link, type LinkProps } from "../navigation.tsx";

export type ButtonLook = "solid" | "plain" | "quiet" | "chosen" | "danger";

const DISABLED = "disabled:border-line disabled:bg-sunk disabled:text-muted disabled:shadow-none";

const LOOKS: Record<ButtonLook, string> = {
  solid: `border-solid-edge bg-solid text-on-solid hover:bg-solid-hover ${DISABLED}`,
  plain: `border-rule bg-raised text-ink shadow-control hover:bg-hover ${DISABLED}`,
  quiet: "border-transparent text-muted hover:bg-hover hover:text-ink",
  chosen: "border-transparent text-ink hover:bg-hover",
  danger: `border-rule bg-raised text-bad shadow-control hover:bg-bad-tint ${DISABLED}`,
};

const SHAPES = {
  word: "h-8 max-wide:h-11 px-3",
  /** For an icon alone. */
  square: "size-8 max-wide:size-11",
  /** As wide as its container. */
  row: "h-8 max-wide:h-11 w-full px-2",
  /** For an icon alone within a line of text. */
  tiny: "size-6 max-wide:size-8",
};

/** The classes of a button, for other elements that look like one. */
export function buttonClass(look: ButtonLook, shape: keyof typeof SHAPES = "word"): string {
  return `inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border text-table font-medium whitespace-nowrap select-none ${SHAPES[shape]} ${LOOKS[look]}`;
}

export interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  shape?: keyof typeof SHAPES;
  /** Whether its action is running: the button then ignores clicks, but keeps the focus. */
  busy?: boolean;
}

export function Button({ look = "plain", shape, busy = false, className = "", ...rest }: ButtonProps) {
  const { children, onClick, ...attributes } = rest;
  return (
    <button
      type="button"
      {...attributes}
      {...(busy ? { "aria-busy": true, "aria-disabled": true } : {})}
      className={`${buttonClass(look, shape)} ${className}`}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <LoaderCircle aria-hidden size={14} className="motion-safe:animate-spin" />}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends LinkProps, Pick<ButtonProps, "shape"> {
  look?: ButtonLook;
}

export function ButtonLink({ look = "plain", shape, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={buttonClass(look, shape)} />;
}

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  /** The name for screen readers, also shown as a tooltip. */
  label: string;
  children: ComponentProps<"button">["children"];
}

/** A button with an icon alone. */
export function IconButton({ label, look = "quiet", shape = "square", ...rest }: IconButtonProps) {
  return <Button {...rest} look={look} shape={shape} aria-label={label} title={label} />;
}

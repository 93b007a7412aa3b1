import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";

export interface CodeProps {
  label: string;
  /** The text that a button copies. */
  copy?: string;
  /** Shows fewer lines. */
  low?: boolean;
  children: ReactNode;
}

/** A text for machines, such as a body or a command, as it is. It scrolls within a limited height. */
export function Code({ label, copy, low = false, children }: CodeProps) {
  const height = low ? "max-h-40" : "max-h-96";
  return (
    <div className="relative min-w-0">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        aria-label={label}
        className={`${height} overflow-auto rounded-control bg-sunk p-3`}
      >
        <pre
          dir="ltr"
          className={`font-mono text-meta break-words whitespace-pre-wrap ${copy === undefined ? "" : "pr-8"}`}
        >
          {children}
        </pre>
      </section>
      {copy !== undefined && (
        <span className="absolute top-2 right-2">
          <CopyButton text={copy} quiet />
        </span>
      )}
    </div>
  );
}

/** JSON with indents; other text as it is. */
export function indentedJson(text: string): string {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not JSON, which is shown as it is
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";

/** A text for machines, such as a body or a command, as it is. It scrolls within a limited height. */
export function Code({ label, copy, children }: { label: string; copy?: string; children: ReactNode }) {
  return (
    <div className="relative min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section tabIndex={0} aria-label={label} className="max-h-96 overflow-auto rounded-control bg-sunk p-3">
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
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

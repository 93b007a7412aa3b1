import { Check, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "./texts.ts";

export interface StepProps {
  number: number;
  title: string;
  why: string;
  /** The fact that completed the step; null: it is not complete. */
  done: ReactNode | null;
  /** The first one that is not done. */
  is_next: boolean;
  children?: ReactNode;
}

/** One of the first steps. Those that are done take one line; the next one shows its instructions. */
export function Step({ number, title, why, done, is_next, children }: StepProps) {
  const is_done = done !== null;
  return (
    <li
      aria-current={is_next ? "step" : undefined}
      className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 gap-y-1 border-line p-4 not-first:border-t"
    >
      <span
        aria-hidden
        className={`grid size-6 place-items-center rounded-full border text-meta font-medium tabular-nums ${
          is_done
            ? "border-transparent bg-good-tint text-good"
            : is_next
              ? "border-accent text-accent"
              : "border-rule text-muted"
        }`}
      >
        {is_done ? <Check size={14} strokeWidth={2.5} /> : number}
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold">
          {title}
          {is_done && <span className="sr-only"> · {texts.done}</span>}
        </h2>
        <p className="text-table text-muted [overflow-wrap:anywhere]" role="status">
          {is_done ? done : why}
        </p>
      </div>
      {is_next && !is_done && children !== undefined && (
        <div className="col-start-2 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 pt-3">{children}</div>
      )}
    </li>
  );
}

/** The event that the page waits for, and the last one that arrived. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-table text-muted">
      <LoaderCircle aria-hidden size={14} className="mt-0.5 shrink-0 motion-safe:animate-spin" />
      <span>{children}</span>
    </p>
  );
}

import { Ban, Check, Circle, Clock, type LucideIcon, Pause, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";

export type StateTone = "done" | "waiting" | "held" | "failed" | "warning" | "stopped" | "none";

const TONES: Record<StateTone, { icon: LucideIcon; color: string; muted?: boolean }> = {
  done: { icon: Check, color: "text-good" },
  waiting: { icon: Clock, color: "text-info" },
  held: { icon: Pause, color: "text-warn" },
  failed: { icon: X, color: "text-bad" },
  warning: { icon: TriangleAlert, color: "text-warn" },
  stopped: { icon: Ban, color: "text-muted", muted: true },
  none: { icon: Circle, color: "text-muted" },
};

/** The state of a row: a colored icon and a word. */
export function State({ tone, children }: { tone: StateTone; children: ReactNode }) {
  const { icon: Icon, color, muted } = TONES[tone];
  return (
    <span className={`inline-flex max-w-full min-w-0 items-baseline gap-1.5 ${muted ? "text-muted" : ""}`}>
      <Icon aria-hidden size={14} strokeWidth={2.25} className={`shrink-0 self-center ${color}`} />
      <span className="min-w-0 truncate">{children}</span>
    </span>
  );
}

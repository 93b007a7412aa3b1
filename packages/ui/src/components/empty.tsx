import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface EmptyProps {
  icon?: LucideIcon;
  /** A sentence: there is nothing yet, or the filters that nothing matches. */
  title: string;
  children?: ReactNode;
  /** The next step, or "Clear". */
  action?: ReactNode;
}

/** In place of a list without rows. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-16 text-center">
      {Icon !== undefined && (
        <span className="grid size-10 place-items-center rounded-card border border-line bg-sunk text-muted">
          <Icon aria-hidden size={18} />
        </span>
      )}
      <p className="max-w-120 text-lead font-medium text-balance">{title}</p>
      {children !== undefined && <div className="max-w-120 text-balance text-muted">{children}</div>}
      {action}
    </div>
  );
}

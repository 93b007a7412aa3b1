import type { ReactNode } from "react";

/** A form with its consequences beside it. */
export function Beside({ children, preview }: { children: ReactNode; preview: ReactNode }) {
  return (
    <div className="grid items-start gap-x-12 gap-y-8 pt-4 pb-12 full:grid-cols-[minmax(0,560px)_minmax(0,360px)]">
      <div className="min-w-0">{children}</div>
      <div className="min-w-0 full:sticky full:top-6">{preview}</div>
    </div>
  );
}

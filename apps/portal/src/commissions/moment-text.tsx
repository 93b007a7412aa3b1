import type { ReactNode } from "react";

/** A moment's name, and more about it. */
export function MomentText({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <>
      <div dir="auto" className="font-medium">
        {title}
      </div>
      {children !== undefined && <div className="text-table text-muted">{children}</div>}
    </>
  );
}

import { useHeading } from "@findersfee/ui/shell/heading";
import type { ReactNode } from "react";

/** A page with one thing to do: a narrow column. */
export function NarrowPage({
  title,
  hint,
  document_title = title,
  children,
}: {
  title: string;
  hint?: ReactNode;
  document_title?: string;
  children?: ReactNode;
}) {
  const heading = useHeading(document_title);
  return (
    <div className="mx-auto w-full max-w-100 px-4 pt-(--space-above) pb-12">
      <h1
        ref={heading}
        tabIndex={-1}
        dir="auto"
        className="text-title font-semibold text-balance outline-none"
      >
        {title}
      </h1>
      {hint !== undefined && <div className="mt-2 text-muted">{hint}</div>}
      {children !== undefined && <div className="mt-7 grid gap-5">{children}</div>}
    </div>
  );
}

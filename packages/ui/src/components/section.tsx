import type { ReactNode } from "react";

export interface SectionProps {
  title: string;
  /** Its purpose, beside it. */
  hint?: ReactNode;
  children: ReactNode;
}

/** A part of a page of settings: its title and purpose at the left, and its controls, at most 560 pixels wide. */
export function Section({ title, hint, children }: SectionProps) {
  return (
    <section className="grid gap-x-12 gap-y-4 border-t border-line py-8 first-of-type:border-t-0 first-of-type:pt-4 full:grid-cols-[240px_minmax(0,560px)]">
      <div className="max-w-140">
        <h2 className="font-semibold">{title}</h2>
        {hint !== undefined && <div className="mt-1 text-table text-muted">{hint}</div>}
      </div>
      <div className="grid max-w-140 min-w-0 content-start gap-5">{children}</div>
    </section>
  );
}

/** A few things in a frame, without the head and the pages of a list. */
export function Items({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-card border border-line">
      {children}
    </ul>
  );
}

/** A thing with its facts and its buttons. */
export function Item({
  title,
  beside,
  children,
  actions,
}: {
  title: ReactNode;
  /** For example a state. */
  beside?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-50">
        <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {title}
          </span>
          {beside !== undefined && <span className="text-table font-normal text-muted">{beside}</span>}
        </p>
        {children !== undefined && <div className="text-table text-muted">{children}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  );
}

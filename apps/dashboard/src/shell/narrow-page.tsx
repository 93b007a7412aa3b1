import { type ReactNode, useEffect } from "react";

/** The frame of pages outside of organizations: a narrow column. */
export function NarrowPage({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Findersfee`;
  }, [title]);
  return (
    <main className="grid min-h-dvh content-start justify-items-center px-4 pt-[14dvh] pb-12">
      <div className="w-full max-w-90">
        <Mark />
        <h1 className="mt-5 text-title font-semibold">{title}</h1>
        {hint !== undefined && <div className="mt-1 text-muted">{hint}</div>}
        <div className="mt-6 grid gap-5">{children}</div>
      </div>
    </main>
  );
}

/** The product's mark. */
function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-9">
      <rect width="32" height="32" rx="8" className="fill-solid" />
      <path
        d="M10 24V8h11M10 16h8"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

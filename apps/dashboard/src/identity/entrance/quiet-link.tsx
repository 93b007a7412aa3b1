import { Link } from "@findersfee/ui/navigation";

/** Another way, below a form. */
export function QuietLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-6 items-center justify-self-start text-table text-muted underline hover:text-ink max-wide:min-h-11"
    >
      {children}
    </Link>
  );
}

import { Link } from "@findersfee/ui/navigation";

/** Whose portal it is: the organization's logo if it has one, and its name. */
export function Brand({ name, logo = null }: { name: string; logo?: string | null }) {
  return (
    <Link to="/" className="flex h-11 min-w-0 items-center gap-2.5 font-semibold">
      {logo !== null && <img src={logo} alt="" className="max-h-8 max-w-32 shrink-0 object-contain" />}
      <span dir="auto" className="truncate">
        {name}
      </span>
    </Link>
  );
}

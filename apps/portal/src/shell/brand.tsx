import type { PortalLook } from "@findersfee/contract/portal/look";
import { Link } from "@findersfee/ui/navigation";

/** The organization's logo, if it has one, and its name. Most logos are made for white, so dark pages have it below them. */
export function Brand({ name, logo }: { name: string; logo: PortalLook["logo"] }) {
  return (
    <Link to="/" className="flex h-11 min-w-0 items-center gap-3 font-semibold">
      {logo !== null && (
        <img
          // Below the service's address, as the base is with the portal's path.
          src={`../${logo.path}`}
          width={logo.width}
          height={logo.height}
          alt=""
          className="h-7 w-auto max-w-[min(8rem,30vw)] shrink-0 rounded-[2px] bg-[light-dark(transparent,#ffffff)] object-contain shadow-[0_0_0_4px_light-dark(transparent,#ffffff)]"
        />
      )}
      <span dir="auto" className="truncate">
        {name}
      </span>
    </Link>
  );
}

import type { PublicLook } from "@findersfee/contract/portal/look";
import type { Me, Program } from "./session.tsx";

/** The look of a program's organization. */
export function programLook({ organizations }: Me, { organization_id }: Program): PublicLook | null {
  return organizations.find((organization) => organization.organization_id === organization_id) ?? null;
}

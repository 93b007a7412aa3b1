import type { PublicLook } from "@findersfee/contract/portal/look";
import { createContext, type ReactNode, useContext } from "react";

/* The look without a session: the host, the address or an earlier visit names the organization. */

/** The name of the organization that this browser signed in to last. */
export const STORED_ORGANIZATION = "findersfee-organization";

/** The next sign-in in this browser begins with the organization's look. */
export function rememberOrganization(slug: string): void {
  localStorage.setItem(STORED_ORGANIZATION, slug);
}

const EntryLookContext = createContext<PublicLook | null>(null);

export function EntryLookProvider({ entry, children }: { entry: PublicLook | null; children: ReactNode }) {
  return <EntryLookContext value={entry}>{children}</EntryLookContext>;
}

/** The organization that the visit began at; null: none is known. */
export function useEntryLook(): PublicLook | null {
  return useContext(EntryLookContext);
}

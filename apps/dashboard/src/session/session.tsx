import { claimDrafts } from "@findersfee/ui/forms/draft-store";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { post } from "@findersfee/ui/requests/post";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { account, type Me } from "../requests/account.ts";
import type { Api } from "../requests/api.ts";

export type Membership = Me["organizations"][number];

export type Role = Membership["role"];

/** The person who is signed in, with the organizations that they belong to. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ client, signal }) => {
    const me = await account.me.get.query(undefined, { signal });
    const before = client.getQueryData<Me>(["me"]);
    // Another person signed in, in another tab: nothing that this one has read is theirs.
    if (before !== undefined && before.user.id !== me.user.id) {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    }
    claimDrafts(me.user.id);
    return me;
  },
  staleTime: 60_000,
  meta: { is_guard: true },
});

/** The person in one of their organizations. */
export interface Session {
  me: Me;
  organization: Membership;
  api: Api;
  /** The organization's address: `/o/acme`. */
  home: string;
}

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("this page needs an organization in its address");
  return session;
}

const RANKS: Record<Role, number> = { viewer: 0, admin: 1, owner: 2 };

/** Whether the person has at least this role. The service checks it again. */
export function useMay(role: Role): boolean {
  const { organization } = useSession();
  return RANKS[organization.role] >= RANKS[role];
}

/** Sends waiting requests before a session ends. */
export const before_sign_out = new Set<() => Promise<unknown>>();

/** Ends the session here and at the service. `to`: where the next sign-in leads. */
export function useSignOut(): (options?: { to?: string }) => Promise<void> {
  const client = useQueryClient();
  return async ({ to } = {}) => {
    await Promise.all([...before_sign_out].map((send) => send()));
    await post("/auth/sign-out", {});
    client.clear();
    // Drafts, and tokens of links that were not used: the next person at this computer must not see them.
    window.sessionStorage.clear();
    const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
    window.location.assign(`${APPLICATION_PATH}/sign-in${query}`);
  };
}

import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { post } from "@findersfee/ui/requests/post";
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { type Outputs, portal, portalOf } from "../requests/portal.ts";

/** The address that is signed in, with its programs. */
export type Me = Outputs["me"]["get"];

export type Program = Me["programs"][number];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ client, signal }) => {
    const me = await portal.me.get.query(undefined, { signal });
    const before = client.getQueryData<Me>(["me"]);
    // Another person signed in, in another tab: nothing that this one has read is theirs.
    if (before !== undefined && before.email !== me.email) {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    } else if (before !== undefined && statesOf(before) !== statesOf(me)) {
      // A decision: data that was read before it has no links, or no reason.
      void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    }
    return me;
  },
  staleTime: 60_000,
  meta: { is_guard: true },
});

function statesOf({ programs }: Me): string {
  return programs.map(({ affiliate_id, state }) => `${affiliate_id} ${state}`).join();
}

/** An address in one of its programs. */
export interface Session {
  me: Me;
  program: Program;
  api: typeof portal;
  /**
   * Whether it belongs to a frame in the organization's product, which does not offer settings of the person.
   */
  is_embedded: boolean;
  /** Shows another program of the address. */
  choose: (affiliate_id: string) => void;
}

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("this page needs somebody who is signed in");
  return session;
}

const apis = new Map<string, typeof portal>();

/** The operations of an affiliate: the same object each time. */
export function apiOf(affiliate_id: string): typeof portal {
  const api = apis.get(affiliate_id) ?? portalOf(affiliate_id);
  apis.set(affiliate_id, api);
  return api;
}

/** Ends the session here and at the service. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await post("/auth/sign-out", {});
    forgetPerson(client);
  };
}

function forgetPerson(client: QueryClient): void {
  client.clear();
  // Drafts, and tokens of links that were not used: the next person at this computer must not see them.
  window.sessionStorage.clear();
  window.location.assign(`${APPLICATION_PATH}/sign-in`);
}

/**
 * Shows that the affiliate of this page left its program, or was erased: null. The service remembers the state of before for a
 * second, so it is not asked again.
 */
export function useEndedProgram(): (state: "left" | null) => void {
  const client = useQueryClient();
  const { me, program } = useSession();
  return (state) => {
    const programs = me.programs.flatMap((one) => {
      if (one.affiliate_id !== program.affiliate_id) return [one];
      return state === null ? [] : [{ ...one, state }];
    });
    // The session ended with its last program.
    if (programs.length === 0) return forgetPerson(client);
    client.setQueryData<Me>(meQuery.queryKey, { ...me, programs });
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
  };
}

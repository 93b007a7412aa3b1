import type { PortalRouter } from "@findersfee/api/portal/router";
import { createProcedures } from "@findersfee/ui/requests/procedures";
import type { inferRouterOutputs } from "@trpc/server";

export type Outputs = inferRouterOutputs<PortalRouter>;

const POSITION = "findersfee-position";

let embedded: Record<string, string> = {};

/**
 * In a frame, where browsers block cookies, and for staff, since their browser may have an affiliate's cookie, requests carry the session
 * themselves.
 */
export function sendEmbeddedSession(session: string): void {
  embedded = { "findersfee-portal-session": session, [POSITION]: "0/0" };
}

/** The service says where in the database's log the last change is, so that the next reads see it: a cookie elsewhere. */
function rememberPosition({ headers }: Response): void {
  const position = headers.get(POSITION);
  if (POSITION in embedded && position !== null) embedded = { ...embedded, [POSITION]: position };
}

/** The operations of the address that is signed in. The session is in a cookie, which scripts cannot read. */
export const portal = createProcedures<PortalRouter>("/trpc", () => embedded, rememberPosition);

/** The operations of one of its affiliates. */
export function portalOf(affiliate_id: string): typeof portal {
  return createProcedures<PortalRouter>(
    "/trpc",
    () => ({ ...embedded, "findersfee-affiliate": affiliate_id }),
    rememberPosition,
  );
}

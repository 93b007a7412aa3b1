import { me } from "./me.ts";
import { program } from "./program.ts";
import { sessions } from "./sessions.ts";
import { portalRouter } from "./trpc.ts";

/** The operations of affiliates, at `/portal/trpc`. */
export const portal_router = portalRouter({ me, sessions, program });

export type PortalRouter = typeof portal_router;

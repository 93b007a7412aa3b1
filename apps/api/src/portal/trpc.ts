import {
  affiliateSessionOf,
  requireAffiliate,
  requireOwnSession,
} from "@findersfee/domain/portal/authenticate";
import { requireActive } from "@findersfee/domain/portal/own";
import { initTRPC } from "@trpc/server";
import type { PortalContext } from "../context.ts";
import { formatError } from "../errors.ts";
import { routeReads } from "../replicas/route-reads.ts";

const t = initTRPC.context<PortalContext>().create({ errorFormatter: formatError });

export const portalRouter = t.router;

/** The operations of every session. All procedures are based on it: staff who view a portal change nothing. */
export const sessionProcedure = t.procedure
  .use(({ next, ...call }) => routeReads(call, (database) => next({ ctx: { database } })))
  .use(({ ctx, type, next }) => {
    if (type !== "query") requireAffiliate(ctx.session);
    return next();
  });

/**
 * The operations of a proven address, in all its programs. A frame in an organization's product has proven none, and staff see one
 * affiliate alone.
 */
export const addressProcedure = sessionProcedure.use(({ ctx, next }) => {
  requireAffiliate(ctx.session);
  requireOwnSession(ctx.session);
  return next();
});

/** The operations of an affiliate in one program, in any state. */
export const programProcedure = sessionProcedure.use(({ ctx, next }) =>
  next({ ctx: { affiliate: affiliateSessionOf(ctx.session, ctx.affiliate_id) } }),
);

/**
 * The same, but not in a frame: operations for the affiliate alone, not for a user of the organization's
 * product.
 */
export const ownProgramProcedure = programProcedure.use(({ ctx, next }) => {
  requireOwnSession(ctx.session);
  return next();
});

/** The operations of an active affiliate. */
export const activeProcedure = programProcedure.use(({ ctx, next }) =>
  next({ ctx: { affiliate: requireActive(ctx.affiliate) } }),
);

/** The same, but not in a frame. */
export const ownActiveProcedure = ownProgramProcedure.use(({ ctx, next }) =>
  next({ ctx: { affiliate: requireActive(ctx.affiliate) } }),
);

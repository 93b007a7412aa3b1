import { affiliateSessionOf } from "@findersfee/domain/portal/authenticate";
import { requireActive } from "@findersfee/domain/portal/own";
import { initTRPC } from "@trpc/server";
import type { PortalContext } from "../context.ts";
import { formatError } from "../errors.ts";

const t = initTRPC.context<PortalContext>().create({ errorFormatter: formatError });

export const portalRouter = t.router;

/** The operations of a proven address, in all its programs. */
export const addressProcedure = t.procedure;

/** The operations of an affiliate in one program, whatever its state. */
export const programProcedure = t.procedure.use(({ ctx, next }) =>
  next({ ctx: { affiliate: affiliateSessionOf(ctx.session, ctx.affiliate_id) } }),
);

/** The operations of an active affiliate. */
export const activeProcedure = programProcedure.use(({ ctx, next }) =>
  next({ ctx: { affiliate: requireActive(ctx.affiliate) } }),
);

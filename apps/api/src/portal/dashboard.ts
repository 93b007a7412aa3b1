import { noInput } from "@findersfee/contract/identity/sign-in";
import {
  checkHostInput,
  portalSettingsSchema,
  setLogoInput,
  updatePortalInput,
} from "@findersfee/contract/portal/settings";
import { checkHost } from "@findersfee/domain/portal/check-host";
import {
  changePortalSettings,
  getPortalSettings,
  removeLogo,
  setLogo,
} from "@findersfee/domain/portal/settings";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** The look and the addresses of the organization's portal. */
export const portal = router({
  get: viewProcedure.output(portalSettingsSchema).query(({ ctx }) => getPortalSettings(ctx.domain, ctx)),

  update: adminProcedure
    .input(updatePortalInput)
    .output(portalSettingsSchema)
    .mutation(({ ctx, input }) => changePortalSettings(ctx.domain, input, ctx)),

  check_host: adminProcedure
    .input(checkHostInput)
    .output(portalSettingsSchema)
    .mutation(({ ctx, input }) =>
      checkHost(ctx.domain, { ...ctx, ...input, look: ctx.lookAtHostRecord, ask: ctx.askHost }),
    ),

  set_logo: adminProcedure
    .input(setLogoInput)
    .output(portalSettingsSchema)
    .mutation(({ ctx, input }) => setLogo(ctx.domain, input, ctx)),

  remove_logo: adminProcedure
    .input(noInput)
    .output(portalSettingsSchema)
    .mutation(({ ctx }) => removeLogo(ctx.domain, ctx)),
});

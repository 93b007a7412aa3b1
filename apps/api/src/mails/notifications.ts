import { notificationsSchema, updateNotificationsInput } from "@findersfee/contract/mails";
import { getNotifications, updateNotifications } from "@findersfee/domain/mails/notices/settings";
import { peopleProcedure, router } from "../trpc/trpc.ts";

/** The acting person's notifications by email. */
export const notifications = router({
  get: peopleProcedure.output(notificationsSchema).query(({ ctx }) => getNotifications(ctx.domain)),

  update: peopleProcedure
    .input(updateNotificationsInput)
    .output(notificationsSchema)
    .mutation(({ ctx, input }) => updateNotifications(ctx.domain, input)),
});

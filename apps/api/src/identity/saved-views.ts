import {
  createSavedViewInput,
  listSavedViewsInput,
  renameSavedViewInput,
  savedViewIdInput,
  savedViewSchema,
  savedViewsSchema,
} from "@findersfee/contract/identity/saved-views";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  renameSavedView,
} from "@findersfee/domain/identity/saved-views";
import { memberProcedure, router } from "../trpc/trpc.ts";

/** The acting person's own views of lists. */
export const saved_views = router({
  list: memberProcedure
    .input(listSavedViewsInput)
    .output(savedViewsSchema)
    .query(({ ctx, input }) => listSavedViews(ctx.domain, input)),

  create: memberProcedure
    .input(createSavedViewInput)
    .output(savedViewSchema)
    .mutation(({ ctx, input }) => createSavedView(ctx.domain, input)),

  rename: memberProcedure
    .input(renameSavedViewInput)
    .output(savedViewSchema)
    .mutation(({ ctx, input }) => renameSavedView(ctx.domain, input)),

  delete: memberProcedure
    .input(savedViewIdInput)
    .output(savedViewSchema)
    .mutation(({ ctx, input }) => deleteSavedView(ctx.domain, input.id)),
});

import { z } from "zod";
import { id, idInput, name } from "../fields.ts";
import { MAX_VIEW_NAME, viewed_lists } from "./viewed-lists.ts";

/** The views that a member can have of each list. */
export const MAX_SAVED_VIEWS = 20;
const MAX_SEARCH = 1000;

const list = z.enum(viewed_lists).meta({ example: "affiliates" });

/** A view of a list that a member has named. */
export const savedViewSchema = z
  .object({
    id,
    list,
    name: z.string().meta({ example: "Waiting longest" }),
    search: z.string().meta({
      description: "The filters, the order and the period, as parameters of the list's address.",
      example: "status=waiting&period=90d",
    }),
  })
  .meta({ id: "SavedView" });

export type SavedView = z.infer<typeof savedViewSchema>;

export const savedViewsSchema = z.array(savedViewSchema);

export const listSavedViewsInput = z.strictObject({ list });

export type ListSavedViews = z.output<typeof listSavedViewsInput>;

const viewName = name(MAX_VIEW_NAME).transform((text) => text.trim());

export const createSavedViewInput = z.strictObject({
  list,
  name: viewName,
  search: name(MAX_SEARCH).meta({ description: "At least one filter, an order or a period." }),
});

export type CreateSavedView = z.output<typeof createSavedViewInput>;

export const renameSavedViewInput = z.strictObject({ id: idInput, name: viewName });

export type RenameSavedView = z.output<typeof renameSavedViewInput>;

export const savedViewIdInput = z.strictObject({ id: idInput });

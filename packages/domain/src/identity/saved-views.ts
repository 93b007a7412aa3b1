import {
  type CreateSavedView,
  type ListSavedViews,
  MAX_SAVED_VIEWS,
  type RenameSavedView,
  type SavedView,
} from "@findersfee/contract/identity/saved-views";
import {
  deleteSavedView as deleteView,
  insertSavedView,
  listSavedViews as listViews,
  lockViewer,
  renameSavedView as renameView,
  SAVED_VIEW_NAME,
} from "@findersfee/database/identity/saved-views";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { inTransaction } from "../transaction.ts";

/** The acting person's views of a list, by name. */
export async function listSavedViews(
  { database, organization, actor }: Context,
  { list }: ListSavedViews,
): Promise<SavedView[]> {
  if (actor.kind !== "user") return [];
  return await listViews(database, organization.id, { user_id: actor.id, list });
}

/**
 * Stores a view for the acting person.
 *
 * @throws DomainError `not_a_member`, `view_exists`; `quota_exceeded` if the person has as many views of the list as possible
 */
export async function createSavedView(context: Context, view: CreateSavedView): Promise<SavedView> {
  const { organization } = context;
  const user_id = requireUser(context);
  const created = { id: newId(new Date()), ...view };
  await withUniqueName(() =>
    inTransaction(context, async (sql) => {
      const member_of = await lockViewer(sql, organization.id, user_id);
      if (member_of === null) throw new DomainError("not_a_member");
      const row = { ...created, member_of, user_id, most: MAX_SAVED_VIEWS };
      if (await insertSavedView(sql, organization.id, row)) return;
      const message = `A list can have ${MAX_SAVED_VIEWS} views. Delete one first.`;
      throw new DomainError("quota_exceeded", { message });
    }),
  );
  return created;
}

/** @throws DomainError `not_found` for other people's views, too; `view_exists` */
export async function renameSavedView(context: Context, { id, name }: RenameSavedView): Promise<SavedView> {
  const { organization } = context;
  const user_id = requireUser(context);
  const renamed = await withUniqueName(() =>
    inTransaction(context, (sql) => renameView(sql, organization.id, { user_id, id, name })),
  );
  if (renamed === null) throw notFound("view");
  return renamed;
}

/** @throws DomainError `not_found` for other people's views, too */
export async function deleteSavedView(context: Context, id: string): Promise<SavedView> {
  const { organization } = context;
  const user_id = requireUser(context);
  const deleted = await inTransaction(context, (sql) => deleteView(sql, organization.id, { user_id, id }));
  if (deleted === null) throw notFound("view");
  return deleted;
}

function requireUser({ actor }: Context): string {
  if (actor.kind !== "user") throw new DomainError("not_a_member");
  return actor.id;
}

async function withUniqueName<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatedUnique(error) === SAVED_VIEW_NAME) throw new DomainError("view_exists");
    throw error;
  }
}

import type { SavedView } from "@findersfee/contract/identity/saved-views";
import type { ViewedList } from "@findersfee/contract/identity/viewed-lists";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The unique index of the names of a member's views of a list. */
export const SAVED_VIEW_NAME = "saved_views_name";

const LIST = statement<SavedView, "organization_id" | "user_id" | "list">(`
  select id, list, name, search from saved_views
  where organization_id = :organization_id::uuid and user_id = :user_id::uuid and list = :list::text
  order by lower(name)`);

/** Returns a member's views of a list, by name. */
export async function listSavedViews(
  sql: Connection,
  organizationId: string,
  of: { user_id: string; list: ViewedList },
): Promise<SavedView[]> {
  return await LIST.run(sql, { organization_id: organizationId, ...of });
}

const VIEWER = statement<{ member_of: string }, "organization_id" | "user_id">(`
  select organization_id as member_of from members
  where user_id = :user_id::uuid
    and organization_id = (select coalesce(test_of, id) from organizations where id = :organization_id::uuid)`);

/**
 * Returns the organization that a person is a member of, in test data the one that it is of; null: the person is no member. Until
 * the transaction ends, the person saves no other view.
 */
export async function lockViewer(
  sql: Transaction,
  organizationId: string,
  user_id: string,
): Promise<string | null> {
  // Changes hold the member's row already, each for itself: locking it would be a deadlock of two of them.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved_views ${user_id}`}, 0))`;
  const [row] = await VIEWER.run(sql, { organization_id: organizationId, user_id });
  return row?.member_of ?? null;
}

const INSERT = statement<
  { id: string },
  "organization_id" | "id" | "member_of" | "user_id" | "list" | "name" | "search" | "most"
>(`
  insert into saved_views (organization_id, id, member_of, user_id, list, name, search, place)
  select :organization_id::uuid, :id::uuid, :member_of::uuid, :user_id::uuid, :list::text, :name::text, :search::text, free.place
  from generate_series(1, :most::int) as free (place)
  where not exists (
    select from saved_views
    where organization_id = :organization_id::uuid and user_id = :user_id::uuid and list = :list::text
      and saved_views.place = free.place)
  order by free.place limit 1
  returning id`);

/** Stores a view of a locked member. False: all its places of the list are taken. */
export async function insertSavedView(
  sql: Transaction,
  organizationId: string,
  view: SavedView & { member_of: string; user_id: string; most: number },
): Promise<boolean> {
  const rows = await INSERT.run(sql, { organization_id: organizationId, ...view });
  return rows.length > 0;
}

const RENAME = statement<SavedView, "organization_id" | "user_id" | "id" | "name">(`
  update saved_views set name = :name::text
  where organization_id = :organization_id::uuid and user_id = :user_id::uuid and id = :id::uuid
  returning id, list, name, search`);

/** Renames a member's own view; null: it has none with this id. */
export async function renameSavedView(
  sql: Transaction,
  organizationId: string,
  view: { user_id: string; id: string; name: string },
): Promise<SavedView | null> {
  const [row] = await RENAME.run(sql, { organization_id: organizationId, ...view });
  return row ?? null;
}

const DELETE = statement<SavedView, "organization_id" | "user_id" | "id">(`
  delete from saved_views
  where organization_id = :organization_id::uuid and user_id = :user_id::uuid and id = :id::uuid
  returning id, list, name, search`);

/** Deletes and returns a member's own view; null: it has none with this id. */
export async function deleteSavedView(
  sql: Transaction,
  organizationId: string,
  view: { user_id: string; id: string },
): Promise<SavedView | null> {
  const [row] = await DELETE.run(sql, { organization_id: organizationId, ...view });
  return row ?? null;
}

/** Deletes the views of all members with one of some texts, in any case, in their names or parameters. */
export async function eraseSavedViews(
  sql: Transaction,
  organizationId: string,
  texts: readonly string[],
): Promise<void> {
  await sql`
    delete from saved_views
    where organization_id = ${organizationId} and exists (
      select from unnest(${[...texts]}::text[]) as erased (text)
      where strpos(lower(name || E'\\n' || search), lower(erased.text)) > 0)`;
}

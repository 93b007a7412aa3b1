import type { AuditEntry, ListAuditEntries } from "@findersfee/contract/audit-log";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import type { Context } from "../../src/context.ts";

/** The entries of the history, in the order of their changes. */
export async function history(
  context: Context,
  filter: Partial<ListAuditEntries> = {},
): Promise<AuditEntry[]> {
  const { data } = await listAuditEntries(context, { limit: 100, ...filter });
  return data.toReversed();
}

/** The entries that an action recorded, without ids, times and actors' names. */
export async function recorded(context: Context, work: () => Promise<unknown>) {
  const before = new Set((await history(context)).map(({ id }) => id));
  await work();
  const changes = (await history(context)).filter(({ id }) => !before.has(id));
  return changes.map(
    ({ id: _id, created_at: _created_at, actor_name: _name, resource_name: _resource, ...change }) => change,
  );
}

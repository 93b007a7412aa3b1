import { isReservedSlug } from "@findersfee/contract/portal/reserved-slugs";
import {
  insertOrganization,
  isReleasedSlug,
  lockWhetherAnyOrganization,
  type OrganizationRow,
} from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { type Actor, OPERATOR } from "../actor.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import { addApiKey } from "../identity/api-keys/create.ts";
import { newId } from "../ids.ts";
import { slugBeside, slugOf } from "./slug.ts";

/** The name, the ISO 4217 currency of its fixed amounts, and whether it pays for the service. */
export interface NewOrganization extends Pick<OrganizationRow, "name" | "currency" | "subscription_status"> {
  /** IANA; by default UTC. */
  time_zone?: string;
  /** The slug, if it is free, not reserved and not released a short time ago; by default the name's. */
  slug?: string;
  /** The organization that it has the test data of. */
  test_of?: string;
}

export interface CreatedOrganization {
  organization_id: string;
  /** A secret key with all permissions; never shown again. */
  api_key: string;
  /** A publishable key for web pages: only for tracking. */
  publishable_key: string;
}

/** Creates an organization with its first two keys. */
export function createOrganization(database: Database, input: NewOrganization): Promise<CreatedOrganization> {
  return transaction(database, (sql) => addOrganization(sql, input));
}

/** Creates an organization if the database has none yet; null otherwise. */
export function createFirstOrganization(
  database: Database,
  input: NewOrganization,
): Promise<CreatedOrganization | null> {
  return transaction(database, async (sql) => {
    if (await lockWhetherAnyOrganization(sql)) return null;
    return await addOrganization(sql, input);
  });
}

/** Writes an organization with its first two keys. The caller shows the secret one. */
async function addOrganization(sql: Connection, input: NewOrganization): Promise<CreatedOrganization> {
  const author = await addOrganizationAlone(sql, input, OPERATOR);
  const secret = await addApiKey(sql, author, {
    created_at: new Date(),
    expires_at: null,
    kind: "secret",
    name: "First secret key",
    scopes: ["read", "write"],
  });
  // After the secret key, so that the secret key's id sorts first.
  const publishable = await addPublishableKey(sql, author);
  return {
    organization_id: author.organization.id,
    api_key: secret.token,
    publishable_key: publishable.token,
  };
}

/** Writes an organization for a person, with a publishable key. People create secret keys in the dashboard, which shows them. */
export async function addOrganizationOfPerson(
  sql: Connection,
  input: NewOrganization,
  actor: Actor,
): Promise<{ organization_id: string }> {
  const author = await addOrganizationAlone(sql, input, actor);
  await addPublishableKey(sql, author);
  return { organization_id: author.organization.id };
}

async function addOrganizationAlone(
  sql: Connection,
  input: NewOrganization,
  actor: Actor,
): Promise<{ organization: { id: string }; actor: Actor }> {
  const created_at = new Date();
  const { name, currency, subscription_status, time_zone = "UTC", test_of = null } = input;
  const organization_id = newId(created_at);
  const shown = { name, currency, subscription_status };
  const organization = { id: organization_id, ...shown, time_zone, test_of, created_at };
  const slug = input.slug ?? slugOf(name);
  const is_closed = isReservedSlug(slug) || (await isReleasedSlug(sql, slug));
  let free = is_closed ? slugBeside(slug) : slug;
  while (!(await insertOrganization(sql, { ...organization, slug: free }))) free = slugBeside(slug);
  const author = { organization: { id: organization_id }, actor };
  await writeAuditEntry(sql, author, {
    resource: "organization",
    id: organization_id,
    action: "created",
    before: null,
    after: shown,
  });
  return author;
}

function addPublishableKey(sql: Connection, author: Parameters<typeof addApiKey>[1]) {
  return addApiKey(sql, author, {
    created_at: new Date(),
    expires_at: null,
    kind: "publishable",
    name: "Publishable key",
    scopes: ["track"],
  });
}

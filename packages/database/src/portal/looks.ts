import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { HostProofsRow } from "./hosts.ts";

/** The organization's look in the portal, which everybody sees. */
export interface PortalLookRow {
  organization_id: string;
  slug: string;
  name: string;
  brand_color: string | null;
  terms_url: string | null;
  imprint_url: string | null;
  privacy_url: string | null;
  support_email: string | null;
  /** The first is the default. */
  languages: ("en" | "de")[];
  /** Null, like its sides: there is no logo. */
  logo_hash: string | null;
  logo_width: number | null;
  logo_height: number | null;
}

/** The look of an organization for strangers. */
export interface PublicLookRow extends PortalLookRow {
  /** Whether it lists a campaign that everybody can join. */
  has_programs: boolean;
}

/** The look, and where the portal is opened. */
export interface PortalSettingsRow extends PortalLookRow, HostProofsRow {
  /** The host name at which the portal is served; null: none is proven. */
  portal_host: string | null;
  frame_origins: string[];
  /** When a request last named the host, to the hour; null: never. */
  portal_host_seen_at: Date | null;
  link_host_seen_at: Date | null;
  /** Whether links set the cookie of their click at once. */
  link_cookies: boolean;
}

const COLUMNS = `
  organization.id as organization_id, organization.slug, organization.name, organization.brand_color,
  organization.terms_url, organization.imprint_url, organization.privacy_url,
  organization.support_email, organization.languages, logo.hash as logo_hash,
  logo.width as logo_width, logo.height as logo_height`;

const PUBLIC = `${COLUMNS}, exists (
    select from campaigns
    where campaigns.organization_id = organization.id and campaigns.joining = 'listed') as has_programs`;

const LOGO = "left join portal_logos logo on logo.organization_id = organization.id";

const SETTINGS = `
  select ${COLUMNS}, organization.portal_host, organization.portal_host_wanted, organization.portal_host_proven_at,
    organization.portal_host_checked_at, organization.portal_host_failure, organization.portal_host_failing_since,
    organization.portal_host_answered_at, organization.portal_host_unreachable_since,
    organization.frame_origins, organization.portal_host_seen_at, organization.link_host_wanted,
    organization.link_host_proven_at, organization.link_host_checked_at, organization.link_host_failure,
    organization.link_host_failing_since, organization.link_host_answered_at,
    organization.link_host_unreachable_since, organization.link_host_seen_at, organization.link_url, organization.link_cookies
  from organizations organization ${LOGO}`;

const FIND = statement<PortalSettingsRow, "organization_id">(`
  ${SETTINGS}
  where organization.id = :organization_id::uuid`);

/** Null: no such organization. */
export async function findPortalSettings(
  sql: Connection,
  organizationId: string,
): Promise<PortalSettingsRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId });
  return row ?? null;
}

const LOCK = statement<PortalSettingsRow, "organization_id">(`
  ${SETTINGS}
  where organization.id = :organization_id::uuid for no key update of organization`);

/** The same, locked until the transaction ends. */
export async function lockPortalSettings(
  sql: Connection,
  organizationId: string,
): Promise<PortalSettingsRow | null> {
  const [row] = await LOCK.run(sql, { organization_id: organizationId });
  return row ?? null;
}

const FIND_BY_SLUG = statement<PublicLookRow, "slug">(`
  select ${PUBLIC} from organizations organization ${LOGO}
  where organization.id = organization_named(:slug::text) and organization.test_of is null`);

/** The look for the portal's address, also for a former name of the organization. Organizations with test data have no portal. */
export async function findPortalLookBySlug(sql: Connection, slug: string): Promise<PublicLookRow | null> {
  const [row] = await FIND_BY_SLUG.run(sql, { slug });
  return row ?? null;
}

const FIND_MANY = statement<PublicLookRow, "ids">(`
  select ${PUBLIC} from organizations organization ${LOGO}
  where organization.id = any (:ids::uuid[])`);

/** The looks of several organizations. */
export async function findPortalLooks(sql: Connection, ids: readonly string[]): Promise<PublicLookRow[]> {
  return await FIND_MANY.run(sql, { ids: [...ids] });
}

export type PortalSettingsValues = Pick<
  PortalSettingsRow,
  | "brand_color"
  | "terms_url"
  | "imprint_url"
  | "privacy_url"
  | "languages"
  | "portal_host_wanted"
  | "frame_origins"
  | "link_host_wanted"
  | "link_cookies"
>;

/** Other host names have no proof yet. */
export async function updatePortalSettings(
  sql: Connection,
  organizationId: string,
  values: PortalSettingsValues,
): Promise<void> {
  const { brand_color, terms_url, imprint_url, privacy_url, languages, portal_host_wanted, frame_origins } =
    values;
  const { link_host_wanted, link_cookies } = values;
  const ofSameHost = (column: string) =>
    sql`case when portal_host_wanted is not distinct from ${portal_host_wanted} then ${sql(column)} end`;
  const ofSameLinkHost = (column: string) =>
    sql`case when link_host_wanted is not distinct from ${link_host_wanted} then ${sql(column)} end`;
  await sql`
    update organizations
    set brand_color = ${brand_color}, terms_url = ${terms_url}, imprint_url = ${imprint_url},
      privacy_url = ${privacy_url}, languages = ${languages}::text[],
      frame_origins = ${frame_origins}::text[], portal_host_wanted = ${portal_host_wanted},
      portal_host_proven_at = ${ofSameHost("portal_host_proven_at")},
      portal_host_checked_at = ${ofSameHost("portal_host_checked_at")},
      portal_host_failure = ${ofSameHost("portal_host_failure")},
      portal_host_failing_since = ${ofSameHost("portal_host_failing_since")},
      portal_host_answered_at = ${ofSameHost("portal_host_answered_at")},
      portal_host_unreachable_since = ${ofSameHost("portal_host_unreachable_since")},
      portal_host_seen_at = ${ofSameHost("portal_host_seen_at")},
      link_host_wanted = ${link_host_wanted}, link_cookies = ${link_cookies},
      link_host_proven_at = ${ofSameLinkHost("link_host_proven_at")},
      link_host_checked_at = ${ofSameLinkHost("link_host_checked_at")},
      link_host_failure = ${ofSameLinkHost("link_host_failure")},
      link_host_failing_since = ${ofSameLinkHost("link_host_failing_since")},
      link_host_answered_at = ${ofSameLinkHost("link_host_answered_at")},
      link_host_unreachable_since = ${ofSameLinkHost("link_host_unreachable_since")},
      link_host_seen_at = ${ofSameLinkHost("link_host_seen_at")},
      link_url = ${ofSameLinkHost("link_url")}
    where id = ${organizationId}`;
}

export interface PortalLogoRow {
  type: "image/png" | "image/jpeg" | "image/webp";
  content: Buffer;
}

export interface NewPortalLogo extends PortalLogoRow {
  /** SHA-256 in hexadecimal digits. */
  hash: string;
  width: number;
  height: number;
}

/** Inserts the logo, or replaces it. */
export async function putPortalLogo(
  sql: Connection,
  organizationId: string,
  { hash, type, width, height, content }: NewPortalLogo,
): Promise<void> {
  await sql`
    insert into portal_logos (organization_id, hash, type, width, height, content)
    values (${organizationId}, ${hash}, ${type}, ${width}, ${height}, ${content})
    on conflict (organization_id) do update
      set hash = excluded.hash, type = excluded.type, width = excluded.width, height = excluded.height,
        content = excluded.content`;
}

export async function deletePortalLogo(sql: Connection, organizationId: string): Promise<void> {
  await sql`delete from portal_logos where organization_id = ${organizationId}`;
}

const FIND_LOGO = statement<PortalLogoRow, "organization_id" | "hash">(`
  select type, content from portal_logos where organization_id = :organization_id::uuid and hash = :hash::text`);

/** Null: the organization has no logo, or another one. */
export async function findPortalLogo(
  sql: Connection,
  organizationId: string,
  hash: string,
): Promise<PortalLogoRow | null> {
  const [row] = await FIND_LOGO.run(sql, { organization_id: organizationId, hash });
  return row ?? null;
}

import { brandColors } from "@findersfee/contract/portal/brand-colors";
import type { PortalLook, PublicLook } from "@findersfee/contract/portal/look";
import { findCurrentSlug } from "@findersfee/database/organizations/organizations";
import {
  findPortalLogo,
  findPortalLookBySlug,
  type PortalLogoRow,
  type PortalLookRow,
  type PublicLookRow,
} from "@findersfee/database/portal/looks";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";

/** The look of the portal, in responses. */
export function viewLook(row: PortalLookRow): PortalLook {
  const { name, brand_color, terms_url, imprint_url, privacy_url, support_email, languages } = row;
  const colors = brand_color === null ? null : brandColors(brand_color);
  const pages = { terms_url, imprint_url, privacy_url };
  return { name, logo: logoOf(row), brand_color, colors, ...pages, support_email, languages };
}

/** The same for strangers, with the organization's names. */
export function viewPublicLook(row: PublicLookRow): PublicLook {
  const { organization_id, slug, has_programs } = row;
  return { organization_id, slug, has_programs, look: viewLook(row) };
}

function logoOf({ organization_id, logo_hash, logo_width, logo_height }: PortalLookRow): PortalLook["logo"] {
  if (logo_hash === null || logo_width === null || logo_height === null) return null;
  return { path: `portal/logo/${organization_id}/${logo_hash}`, width: logo_width, height: logo_height };
}

/**
 * The look for everybody, by the name in the portal's address.
 *
 * @throws DomainError `not_found`, also for organizations with test data
 */
export async function getPublicLook(database: Database, slug: string): Promise<PublicLook> {
  const row = await findPortalLookBySlug(database, slug);
  if (row === null) throw new DomainError("not_found", { message: "No program has this address." });
  return viewPublicLook(row);
}

/** The name in addresses of the organization that has a name in addresses, or had it last; null: none. */
export async function getCurrentSlug(database: Database, slug: string): Promise<string | null> {
  return await findCurrentSlug(database, slug);
}

/** A logo's file, for everybody. Null: the organization has no logo, or another one. */
export async function getLogoFile(
  database: Database,
  { organization_id, hash }: { organization_id: string; hash: string },
): Promise<LogoFile | null> {
  return await findPortalLogo(database, organization_id, hash);
}

export type LogoFile = PortalLogoRow;

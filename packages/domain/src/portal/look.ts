import { brandColors } from "@findersfee/contract/portal/brand-colors";
import type { PortalLook, PublicLook } from "@findersfee/contract/portal/look";
import { findCurrentSlug } from "@findersfee/database/organizations/organizations";
import {
  findPortalLogo,
  findPortalLookBySlug,
  findPortalSettings,
  type PortalLogoRow,
  type PortalLookRow,
} from "@findersfee/database/portal/looks";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";

/** The look of the portal, in responses. */
export function viewLook(row: PortalLookRow): PortalLook {
  const { name, brand_color, terms_url, support_email, languages } = row;
  const colors = brand_color === null ? null : brandColors(brand_color);
  return { name, logo: logoOf(row), brand_color, colors, terms_url, support_email, languages };
}

/** The same with the organization's names. */
export function viewPublicLook(row: PortalLookRow): PublicLook {
  return { organization_id: row.organization_id, slug: row.slug, look: viewLook(row) };
}

function logoOf({ organization_id, logo_hash, logo_width, logo_height }: PortalLookRow): PortalLook["logo"] {
  if (logo_hash === null || logo_width === null || logo_height === null) return null;
  return { path: `portal/logo/${organization_id}/${logo_hash}`, width: logo_width, height: logo_height };
}

/** An organization of the portal: by the name in its address, or by its id. */
export type LookedUpBy = { slug: string } | { organization_id: string };

/**
 * The look for everybody.
 *
 * @throws DomainError `not_found`, also for organizations with test data
 */
export async function getPublicLook(database: Database, by: LookedUpBy): Promise<PublicLook> {
  const row =
    "slug" in by
      ? await findPortalLookBySlug(database, by.slug)
      : await findPortalSettings(database, by.organization_id);
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

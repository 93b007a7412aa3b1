import { hash } from "node:crypto";
import type { PortalSettings, SetLogo, UpdatePortal } from "@findersfee/contract/portal/settings";
import {
  deletePortalLogo,
  findPortalSettings,
  lockPortalSettings,
  type PortalSettingsRow,
  putPortalLogo,
  updatePortalSettings,
} from "@findersfee/database/portal/looks";
import type { Connection } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { hostUrl } from "../host-url.ts";
import { inTransaction } from "../transaction.ts";
import { LogoError } from "./logo/picture.ts";
import { type Logo, readLogo } from "./logo/read.ts";
import { viewLook } from "./look.ts";

/** The addresses by which people open the service. */
export interface ServiceAddress {
  /** The address of the page that sent the request. */
  dashboard_url: string;
  /** Null: the operator has set none. */
  public_url: string | null;
}

/** The settings of the organization's portal. */
export async function getPortalSettings(
  { database, organization }: Context,
  address: ServiceAddress,
): Promise<PortalSettings> {
  const row = await findPortalSettings(database, organization.id);
  if (row === null) throw notFound("organization");
  return viewPortalSettings(row, address);
}

/**
 * Changes the look, the host name or the origins of frames.
 *
 * @throws DomainError `invalid_request`, also for a host name of another organization or of the service itself
 */
export async function changePortalSettings(
  context: Context,
  input: UpdatePortal,
  address: ServiceAddress,
): Promise<PortalSettings> {
  if (input.host !== undefined && input.host !== null) requireForeignHost(input.host, address);
  return await changePortal(context, address, async (sql, before) => {
    const { host: portal_host, ...values } = input;
    const changed = { ...values, ...(portal_host === undefined ? {} : { portal_host }) };
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
    await updatePortalSettings(sql, context.organization.id, { ...before, ...given });
  }).catch((error: unknown): never => {
    if (violatedUnique(error) !== "organizations_portal_host") throw error;
    throw invalidField("host", "Another organization has this host name.");
  });
}

/** The host of the service itself keeps the dashboard; without a public address it is unknown. */
function requireForeignHost(host: string, { public_url }: ServiceAddress): void {
  if (public_url === null) {
    throw invalidField("host", "The service needs a public address first: its operator sets PUBLIC_URL.");
  }
  if (new URL(public_url).hostname === host) {
    throw invalidField("host", "This is the host name of the service itself; choose another one.");
  }
}

/**
 * Replaces the logo.
 *
 * @throws DomainError `invalid_request` for a file that is no PNG, JPEG or WebP, damaged, or too large
 */
export async function setLogo(
  context: Context,
  { content }: SetLogo,
  address: ServiceAddress,
): Promise<PortalSettings> {
  const logo = logoOf(Buffer.from(content, "base64"));
  return await changePortal(context, address, (sql) =>
    putPortalLogo(sql, context.organization.id, { ...logo, hash: hash("sha256", logo.content, "hex") }),
  );
}

function logoOf(file: Buffer): Logo {
  try {
    return readLogo(file);
  } catch (error) {
    if (error instanceof LogoError) throw invalidField("content", error.message);
    throw error;
  }
}

/** Removes the logo; without one, nothing changes. */
export async function removeLogo(context: Context, address: ServiceAddress): Promise<PortalSettings> {
  return await changePortal(context, address, (sql) => deletePortalLogo(sql, context.organization.id));
}

async function changePortal(
  context: Context,
  address: ServiceAddress,
  change: (sql: Connection, before: PortalSettingsRow) => Promise<void>,
): Promise<PortalSettings> {
  const { id } = context.organization;
  return await inTransaction(context, async (sql) => {
    const before = await lockPortalSettings(sql, id);
    if (before === null) throw notFound("organization");
    await change(sql, before);
    const after = await findPortalSettings(sql, id);
    if (after === null) throw notFound("organization");
    await writeAuditEntry(sql, context, {
      resource: "organization",
      id,
      action: "updated",
      before: auditedPortal(before),
      after: auditedPortal(after),
    });
    return viewPortalSettings(after, address);
  });
}

/** The logo is audited by its hash. */
function auditedPortal(row: PortalSettingsRow) {
  const { brand_color, terms_url, languages, portal_host, frame_origins, logo_hash } = row;
  return { brand_color, terms_url, languages, portal_host, frame_origins, logo: logo_hash };
}

function viewPortalSettings(row: PortalSettingsRow, address: ServiceAddress): PortalSettings {
  const { slug, portal_host: host, portal_host_seen_at, frame_origins } = row;
  const { dashboard_url, public_url } = address;
  return {
    look: viewLook(row),
    host,
    host_seen_at: portal_host_seen_at?.toISOString() ?? null,
    frame_origins,
    urls: {
      service: `${public_url ?? dashboard_url}/portal/${slug}`,
      host: host === null ? null : `${hostUrl(public_url ?? dashboard_url, host)}/portal`,
    },
  };
}

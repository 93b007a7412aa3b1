import { hash } from "node:crypto";
import type { PortalSettings, SetLogo, UpdatePortal } from "@findersfee/contract/portal/settings";
import type { HostProofsRow, HostUse } from "@findersfee/database/portal/hosts";
import {
  deletePortalLogo,
  findPortalSettings,
  lockPortalSettings,
  type PortalSettingsRow,
  putPortalLogo,
  updatePortalSettings,
} from "@findersfee/database/portal/looks";
import type { Connection } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { hostRecordOf } from "../host-record.ts";
import { hostUrl } from "../host-url.ts";
import { inTransaction } from "../transaction.ts";
import { rejectionOfHost } from "./claimable-host.ts";
import {
  HOST_FIELDS,
  requireHostOfNobody,
  servedUntil,
  unreachableSince,
  type WantedHost,
  wantedHost,
} from "./host-owner.ts";
import { LogoError } from "./logo/picture.ts";
import { type Logo, readLogo } from "./logo/read.ts";
import { viewLook } from "./look.ts";

/** The addresses by which people open the service. */
export interface ServiceAddress {
  /** The address of the page that sent the request. */
  dashboard_url: string;
  /** Null: the operator has set none. */
  public_url: string | null;
  /** The operator's own host names, apart from the public address's. */
  service_hosts: readonly string[];
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
 * Changes the look, the host name or the origins of frames. Another host name is served once its record proves it.
 *
 * @throws DomainError `invalid_request`, also for a host name that the organization cannot have
 */
export async function changePortalSettings(
  context: Context,
  input: UpdatePortal,
  address: ServiceAddress,
): Promise<PortalSettings> {
  const { id } = context.organization;
  return await changePortal(context, address, async (sql, before) => {
    const { host, link_host, ...values } = input;
    const changed = { ...values, portal_host_wanted: host, link_host_wanted: link_host };
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
    const after = { ...before, ...given };
    for (const use of ["portal", "link"] as const)
      await requireUsableHost(sql, { use, before, after }, address);
    requireOwnHosts(after, input);
    await updatePortalSettings(sql, id, after);
  });
}

/** Sessions of the portal are at its host name, so links have another one. */
function requireOwnHosts({ portal_host_wanted, link_host_wanted }: HostProofsRow, input: UpdatePortal): void {
  if (portal_host_wanted === null || portal_host_wanted !== link_host_wanted) return;
  const field = input.link_host === undefined ? "host" : "link_host";
  throw invalidField(
    field,
    "The portal and the links cannot have the same custom domain. Choose another one.",
  );
}

/** Checks a host name that changes. */
async function requireUsableHost(
  sql: Connection,
  { use, before, after }: { use: HostUse; before: PortalSettingsRow; after: PortalSettingsRow },
  address: ServiceAddress,
): Promise<void> {
  const { host } = wantedHost(after, use);
  if (host === null || host === wantedHost(before, use).host) return;
  requireClaimableHost({ use, host }, address);
  await requireHostOfNobody(sql, { organization_id: before.organization_id, use, host });
}

/** Without a public address, the service does not know its own host. */
function requireClaimableHost(
  { use, host }: { use: HostUse; host: string },
  { public_url, service_hosts }: ServiceAddress,
): void {
  const field = HOST_FIELDS[use];
  if (public_url === null) {
    throw invalidField(field, "The service needs a public address first: its operator sets PUBLIC_URL.");
  }
  const refusal = rejectionOfHost(host, [new URL(public_url).hostname, ...service_hosts]);
  if (refusal !== null) throw invalidField(field, REFUSALS[refusal]);
}

const REFUSALS: Record<NonNullable<ReturnType<typeof rejectionOfHost>>, string> = {
  service: "This domain is the service's own; choose another one.",
  internal: "This is no public domain. Choose one below your domain, as in partners.example.com.",
  suffix:
    "Anyone can register names below this one. Choose one below your domain, as in partners.example.com.",
};

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
export function auditedPortal(row: PortalSettingsRow) {
  const { brand_color, terms_url, imprint_url, privacy_url, languages, frame_origins, logo_hash } = row;
  const portal_host_proven = row.portal_host_proven_at !== null;
  const { portal_host_wanted: portal_host, link_host_wanted: link_host, link_url, link_cookies } = row;
  const link_host_proven = row.link_host_proven_at !== null;
  const host = { portal_host, portal_host_proven };
  const link = { link_host, link_host_proven, link_url, link_cookies };
  const pages = { terms_url, imprint_url, privacy_url };
  return { brand_color, ...pages, languages, ...host, ...link, frame_origins, logo: logo_hash };
}

export function viewPortalSettings(
  row: PortalSettingsRow,
  address: Pick<ServiceAddress, "dashboard_url" | "public_url">,
): PortalSettings {
  const { slug, portal_host_wanted: host, link_host_wanted: link_host, link_url, link_cookies } = row;
  const { dashboard_url, public_url } = address;
  const is_served = row.portal_host_proven_at !== null;
  return {
    look: viewLook(row),
    host,
    host_proof: viewHostProof(row.organization_id, wantedHost(row, "portal")),
    host_seen_at: row.portal_host_seen_at?.toISOString() ?? null,
    link_host,
    link_host_proof: viewHostProof(row.organization_id, wantedHost(row, "link")),
    link_host_seen_at: row.link_host_seen_at?.toISOString() ?? null,
    link_cookies,
    frame_origins: row.frame_origins,
    urls: {
      service: `${public_url ?? dashboard_url}/portal/${slug}`,
      host: host === null || !is_served ? null : `${hostUrl(public_url ?? dashboard_url, host)}/portal`,
      links: link_url,
    },
  };
}

function viewHostProof(organization_id: string, wanted: WantedHost): PortalSettings["host_proof"] {
  const { host, proven_at, checked_at, failure, failing_since } = wanted;
  if (host === null) return null;
  return {
    record: hostRecordOf(host, organization_id),
    proven_at: proven_at?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
    failure,
    failing_since: failing_since?.toISOString() ?? null,
    served_until: servedUntil(wanted)?.toISOString() ?? null,
    unreachable_since: unreachableSince(wanted)?.toISOString() ?? null,
  };
}

/**
 * First parts of the portal's addresses below `/portal`, where names of organizations stand as well: no organization has one of
 * them. A test compares them with the addresses of the portal and the service.
 */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "assets",
  "auth",
  "closed",
  "earnings",
  "embed",
  "files",
  "invitations",
  "logo",
  "look",
  "missing-sale",
  "payouts",
  "referrals",
  "settings",
  "sign-in",
  "trpc",
  "view",
  "waiting",
]);

/**
 * Names that people would take for the service itself, in `/portal/admin` or `/o/support`. An organization that had one before it
 * was reserved keeps it.
 */
const SERVICE_SLUGS: ReadonlySet<string> = new Set([
  "about",
  "account",
  "accounts",
  "admin",
  "administrator",
  "affiliates",
  "api",
  "app",
  "billing",
  "cdn",
  "dashboard",
  "developer",
  "developers",
  "docs",
  "findersfee",
  "ftp",
  "help",
  "imap",
  "internal",
  "join",
  "legal",
  "localhost",
  "login",
  "logout",
  "mail",
  "me",
  "null",
  "official",
  "organizations",
  "partners",
  "password",
  "portal",
  "postmaster",
  "privacy",
  "root",
  "security",
  "service",
  "setup",
  "sign-out",
  "sign-up",
  "signin",
  "signup",
  "smtp",
  "staff",
  "static",
  "status",
  "support",
  "system",
  "terms",
  "track",
  "tracking",
  "undefined",
  "verify",
  "webhooks",
  "webmaster",
  "www",
]);

/** Whether no organization can take a slug. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug) || SERVICE_SLUGS.has(slug);
}

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

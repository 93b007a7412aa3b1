/** The paths by which people join a program. Without zod, for pages. */
export const PORTAL_JOIN_PATHS = {
  /** A POST with `joinInput`. The mailed code is then sent to `PORTAL_AUTH_PATHS.sign_in`, as for any sign-in. */
  join: "/portal/auth/join",
  /** A GET of `publicProgramsSchema`. */
  programs: "/portal/auth/programs/:slug",
  /** A GET of `publicProgramSchema`. */
  program: "/portal/auth/programs/:slug/:campaign_id",
} as const;

/** The languages of the portal and of mails to affiliates. */
export const portalLanguages = ["en", "de"] as const;

export type PortalLanguage = (typeof portalLanguages)[number];

/** The longest answers to questions of the types `text` and `textarea`. */
export const MAX_ANSWER_LENGTHS = { text: 1_000, textarea: 5_000 } as const;

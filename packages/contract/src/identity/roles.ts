/** The roles of members, from the one that may do least: `viewer` reads, `admin` changes, `owner` also manages owners. */
export const roles = ["viewer", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

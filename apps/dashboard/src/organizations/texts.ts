import type { Role } from "../session/session.tsx";

export const texts = {
  organizations: "Organizations",
  no_organizations: "You are not in an organization yet",
  no_organizations_hint: "Ask an owner for an invitation to this address:",
  roles: { viewer: "Viewer", admin: "Admin", owner: "Owner" } satisfies Record<Role, string>,
  signed_in: (email: string) => `Signed in as ${email}`,
  sign_out: "Sign out",
};

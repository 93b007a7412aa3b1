import type { Me } from "../requests/account.ts";
import { type Api, createApi } from "../requests/api.ts";
import type { Session } from "./session.tsx";

const apis = new Map<string, Api>();

/** The person in one of their organizations; null if they do not belong to it. */
export function sessionOf(me: Me, slug: string): Session | null {
  const organization = me.organizations.find((one) => one.slug === slug);
  if (organization === undefined) return null;
  const api = apis.get(organization.id) ?? createApi(organization.id);
  apis.set(organization.id, api);
  return { me, organization, api, home: `/o/${slug}` };
}

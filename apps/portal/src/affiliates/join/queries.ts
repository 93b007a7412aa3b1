import type { PublicProgram, PublicPrograms } from "@findersfee/contract/portal/join";
import { get } from "@findersfee/ui/requests/post";
import { type Loaded, useLoaded } from "./use-loaded.ts";

const segment = encodeURIComponent;

/** The campaigns that an organization lists. */
export function usePrograms(slug: string): Loaded<PublicPrograms> {
  return useLoaded(`/auth/programs/${segment(slug)}`, get<PublicPrograms>);
}

/** A campaign with its signup form, as it is now: browsers have old ones for a minute. */
export function useProgram(slug: string, campaign_id: string): Loaded<PublicProgram> {
  return useLoaded(`/auth/programs/${segment(slug)}/${segment(campaign_id)}`, getProgram);
}

const getProgram = (path: `/${string}`) => get<PublicProgram>(path, { cache: "no-cache" });

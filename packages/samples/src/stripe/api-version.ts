/*
 * Objects and events as Stripe sends them, complete, in two API versions: made up for the demonstration and
 * for tests, never for Stripe. Field by field they are those of stripe-node 23.1.0 and 17.4.0, which are
 * generated from Stripe's published description of its API.
 */

/** The newest API version, and the one from two years before it. */
export const api_versions = ["2026-10-28.endive", "2024-11-20.acacia"] as const;

export type ApiVersion = (typeof api_versions)[number];

/** What an object of Stripe's has in every version, and what else. */
export interface StripeObject {
  id: string;
  object: string;
  [field: string]: unknown;
}

/** Which of an object's fields an API version has. */
export function inVersion<Fields>(api_version: ApiVersion, fields: Record<ApiVersion, Fields>): Fields {
  return fields[api_version];
}

/** A list as it is within an object. */
export function listOf(data: unknown[], url: string) {
  return { object: "list", data, has_more: false, total_count: data.length, url };
}

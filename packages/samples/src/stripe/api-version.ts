/*
 * Sample objects and events for the demo and for tests, with all fields that Stripe sends, in two API versions. The fields
 * are those of the types in stripe-node 23.1.0 and 17.4.0, which Stripe generates from the OpenAPI document of its API.
 */

/** The latest API version, and one from two years earlier. */
export const api_versions = ["2026-10-28.endive", "2024-11-20.acacia"] as const;

export type ApiVersion = (typeof api_versions)[number];

/** An object of Stripe's API: the fields of every object, and its own. */
export interface StripeObject {
  id: string;
  object: string;
  [field: string]: unknown;
}

/** Selects the fields that an object has in an API version. */
export function inVersion<Fields>(api_version: ApiVersion, fields: Record<ApiVersion, Fields>): Fields {
  return fields[api_version];
}

/** A list within an object. */
export function listOf(data: unknown[], url: string) {
  return { object: "list", data, has_more: false, total_count: data.length, url };
}

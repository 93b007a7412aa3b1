import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { Context } from "./context.ts";
import { notFound } from "./errors.ts";

/** Distinguishes an affiliate that has nothing from one that does not exist. Errors: `not_found`. */
export async function requireAffiliate({ database, organization }: Context, id: string): Promise<void> {
  if ((await findAffiliate(database, organization.id, id)) === null) throw notFound("affiliate");
}

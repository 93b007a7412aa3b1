import type { Adjustment } from "@findersfee/contract/ledger/adjustments";
import { findAdjustment } from "@findersfee/database/ledger/adjustments";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewAdjustment } from "./view.ts";

/** One adjustment. Errors: `not_found`. */
export async function getAdjustment({ database, organization }: Context, id: string): Promise<Adjustment> {
  const row = await findAdjustment(database, organization.id, id);
  if (row === null) throw notFound("adjustment");
  return viewAdjustment(row);
}

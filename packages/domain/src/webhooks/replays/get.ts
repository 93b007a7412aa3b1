import type { Replay } from "@findersfee/contract/webhooks/deliveries";
import { findReplay } from "@findersfee/database/webhooks/replays";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewReplay } from "./view.ts";

/** One replay with its progress. Errors: `not_found`. */
export async function getReplay({ database, organization }: Context, id: string): Promise<Replay> {
  const row = await findReplay(database, organization.id, id);
  if (row === null) throw notFound("replay");
  return viewReplay(row);
}

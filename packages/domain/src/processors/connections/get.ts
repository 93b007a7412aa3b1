import type { Connection as ConnectionView, ProcessorName } from "@findersfee/contract/processors/processors";
import type { Connection } from "@findersfee/database/postgres/connect";
import {
  listProcessors as listRows,
  lockProcessor,
  type ProcessorRow,
} from "@findersfee/database/processors/processors";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { viewConnection } from "./view.ts";

/** The organization's connections to payment processors. */
export async function listProcessors({ database, organization }: Context): Promise<ConnectionView[]> {
  return (await listRows(database, organization.id)).map(viewConnection);
}

/** The connection, locked until the transaction ends, or `not_found`. */
export async function requireLockedProcessor(
  sql: Connection,
  organizationId: string,
  name: ProcessorName,
): Promise<ProcessorRow> {
  const row = await lockProcessor(sql, organizationId, name);
  if (row === null) throw notConnected(name);
  return row;
}

function notConnected(name: ProcessorName): DomainError {
  return new DomainError("not_found", { message: `The organization is not connected to ${name}.` });
}

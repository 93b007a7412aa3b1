import { Caller } from "./calls/caller.ts";
import type { Findersfee } from "./operations/operations.ts";
import { nameProcedures } from "./operations/procedures.ts";
import type { ClientOptions } from "./settings/options.ts";
import { readSettings } from "./settings/settings.ts";

/**
 * Creates a client for one organization. The client keeps the key out of printed output and sends nothing
 * until a method is called. Throws a `FindersfeeError` with the code `invalid_request` for invalid options.
 */
export function createClient(options: ClientOptions): Findersfee {
  return nameProcedures(new Caller(readSettings(options)));
}

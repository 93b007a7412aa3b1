import { Caller } from "./caller.ts";
import type { Findersfee } from "./operations.ts";
import type { ClientOptions } from "./options.ts";
import { nameProcedures } from "./procedures.ts";
import { readSettings } from "./settings.ts";

/**
 * Creates a client for one organization. The client keeps the key out of printed output and sends nothing
 * until a method is called. Throws a `FindersfeeError` with the code `invalid_request` for invalid options.
 */
export function createClient(options: ClientOptions): Findersfee {
  return nameProcedures(new Caller(readSettings(options)));
}

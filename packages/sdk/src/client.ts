import { Caller } from "./caller.ts";
import type { Findersfee } from "./operations.ts";
import type { ClientOptions } from "./options.ts";
import { nameProcedures } from "./procedures.ts";
import { readSettings } from "./settings.ts";

/**
 * A client of one organization, whose key it holds where printing it does not show it. Sends nothing.
 * Throws a `FindersfeeError` with the code `invalid_request` for options that cannot work.
 */
export function createClient(options: ClientOptions): Findersfee {
  return nameProcedures(new Caller(readSettings(options)));
}

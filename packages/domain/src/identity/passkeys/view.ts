import type { Passkey } from "@findersfee/contract/identity/credentials";
import type { PasskeyRow } from "@findersfee/database/identity/passkeys";

export function viewPasskey({ id, name, is_backed_up, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    is_backed_up,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

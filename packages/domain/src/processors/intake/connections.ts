import type { ProcessorName } from "@findersfee/contract/processors/processors";
import type { Database } from "@findersfee/database/postgres/connect";
import { findProcessor, type ProcessorRow } from "@findersfee/database/processors/processors";
import { createCache } from "../../caching/cache.ts";
import { isId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { isDisconnecting } from "../connections/disconnect.ts";
import { openSigningSecret } from "../connections/secrets.ts";

/** The data for checking a message. */
export interface KnownConnection {
  organization_id: string;
  name: ProcessorName;
  livemode: boolean;
  /** The currently valid signing secrets, newest first. */
  secrets: readonly string[];
}

interface CachedConnection {
  row: ProcessorRow;
  secret: string;
  previous_secret: string | null;
}

/** A removed connection or a rotated secret takes effect within a second in every process. */
const CACHE = { ttl_milliseconds: 800, max_entries: 10_000 };

/**
 * Returns the function that finds an organization's connection; null when there is none. Connections are cached,
 * because each message needs one.
 */
export function knownConnections(
  database: Database,
  secrets_key: SecretsKey,
): (name: ProcessorName, organizationId: string) => Promise<KnownConnection | null> {
  const finders = {
    stripe: createCache((organizationId) => lookUp("stripe", organizationId), CACHE),
    generic: createCache((organizationId) => lookUp("generic", organizationId), CACHE),
  };

  async function lookUp(name: ProcessorName, organizationId: string): Promise<CachedConnection | null> {
    const row = await findProcessor(database, organizationId, name);
    if (row === null || row.secret_encrypted === null) return null;
    if (isDisconnecting(row)) return null;
    const open = (sealed: Buffer) => openSigningSecret(secrets_key, row, sealed);
    const previous = row.previous_secret_encrypted;
    return {
      row,
      secret: open(row.secret_encrypted),
      previous_secret: previous === null ? null : open(previous),
    };
  }

  return async (name, organizationId) => {
    if (!isId(organizationId)) return null;
    const found = await finders[name](organizationId.toLowerCase());
    return found === null ? null : connectionOf(found);
  };
}

function connectionOf({ row, secret, previous_secret }: CachedConnection): KnownConnection {
  const { organization_id, name, livemode, previous_secret_expires_at } = row;
  const overlaps = previous_secret_expires_at !== null && previous_secret_expires_at.getTime() > Date.now();
  const secrets = overlaps && previous_secret !== null ? [secret, previous_secret] : [secret];
  return { organization_id, name, livemode, secrets };
}

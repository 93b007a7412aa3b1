import type { ProcessorName } from "@findersfee/contract/processors";
import type { Database } from "@findersfee/database/connect";
import { findProcessor, type ProcessorRow } from "@findersfee/database/processors";
import { believe } from "../../believe.ts";
import { isId } from "../../ids.ts";
import type { SecretsKey } from "../../webhooks/secrets.ts";
import { openSigningSecret } from "../connections/secrets.ts";

/** What a message is checked against. */
export interface KnownConnection {
  organization_id: string;
  name: ProcessorName;
  livemode: boolean;
  /** What messages may be signed with now: the newest secret first. */
  secrets: readonly string[];
}

interface Known {
  row: ProcessorRow;
  secret: string;
  previous_secret: string | null;
}

/** A connection that was cut, or a secret that was changed, counts within a second in every process. */
const BELIEF = { milliseconds: 800, entries: 10_000 };

/**
 * Returns the function that finds an organization's connection; null when there is none. It is asked for each
 * message, so a connection is looked up once per 800 ms.
 */
export function knownConnections(
  database: Database,
  secrets_key: SecretsKey,
): (name: ProcessorName, organizationId: string) => Promise<KnownConnection | null> {
  const finders = {
    stripe: believe((organizationId) => lookUp("stripe", organizationId), BELIEF),
    generic: believe((organizationId) => lookUp("generic", organizationId), BELIEF),
  };

  async function lookUp(name: ProcessorName, organizationId: string): Promise<Known | null> {
    const row = await findProcessor(database, organizationId, name);
    if (row === null) return null;
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

function connectionOf({ row, secret, previous_secret }: Known): KnownConnection {
  const { organization_id, name, livemode, previous_secret_expires_at } = row;
  const overlaps = previous_secret_expires_at !== null && previous_secret_expires_at.getTime() > Date.now();
  const secrets = overlaps && previous_secret !== null ? [secret, previous_secret] : [secret];
  return { organization_id, name, livemode, secrets };
}

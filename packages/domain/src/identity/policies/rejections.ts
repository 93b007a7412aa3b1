import { countRefusedKey, countRefusedMember } from "@findersfee/database/identity/security-events";
import type { Database } from "@findersfee/database/postgres/connect";
import { LRUCache } from "lru-cache";
import { atMost } from "../../caching/at-most.ts";
import { newId } from "../../ids.ts";
import type { Principal } from "../../principal.ts";
import type { Browser } from "../accounts/browser.ts";

/** A refused sender of one network is recorded once in this time, so that many requests cost nothing. */
const RECORDED_MILLISECONDS = 60_000;
const MAX_SENDERS = 10_000;

/** Records that the organization does not allow the network of a request. Returns at once. */
export type RecordRejection = (sender: Principal, browser: Browser) => void;

/**
 * Creates this process' recorder of refused networks. An hour's rejections from one network are one event, which each process
 * writes at most once a minute.
 */
export function createRejectionRecorder(
  database: Database,
  onFailure: (error: unknown) => void,
): RecordRejection {
  const recorded = new LRUCache<string, true>({
    ...atMost(MAX_SENDERS),
    ttl: RECORDED_MILLISECONDS,
    ttlResolution: 0,
  });
  return (sender, browser) => {
    const network = browser.network ?? browser.ip_address;
    const name = `${sender.kind === "api_key" ? sender.key_id : sender.user_id} ${sender.organization.id} ${network}`;
    if (recorded.has(name)) return;
    recorded.set(name, true);
    write(database, sender, { ...browser, network }).catch((error: unknown) => {
      recorded.delete(name);
      onFailure(error);
    });
  };
}

const MAX_USER_AGENT_LENGTH = 400;

async function write(
  database: Database,
  sender: Principal,
  { ip_address, network, user_agent }: Browser & { network: string },
): Promise<void> {
  const at = new Date();
  const agent = user_agent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null;
  const failure = { id: newId(at), at, ip_address, network, user_agent: agent };
  const organization_id = sender.organization.id;
  if (sender.kind === "api_key") {
    await countRefusedKey(database, organization_id, { ...failure, key_id: sender.key_id });
  } else {
    await countRefusedMember(database, organization_id, { ...failure, user_id: sender.user_id });
  }
}

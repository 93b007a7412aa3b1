import { createHmac, hkdfSync } from "node:crypto";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import {
  deleteErasedBan,
  findErasedBansByAddress,
  hasErasedBans,
  insertErasedBan,
  listPayoutAddresses,
} from "@findersfee/database/affiliates/erased-bans";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { AffiliateRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { readingKeys } from "../secrets/secrets.ts";
import { inTransaction } from "../transaction.ts";
import { withoutPerson } from "./without-person.ts";

const KEY_BYTES = 32;

/** The parts of a context that the functions need. */
type Keyed = Pick<Context, "organization" | "secrets_key">;

/**
 * Keeps the ban of an affiliate that the transaction erases: keyed hashes of its addresses, and the reason
 * without the person. An affiliate who left on its own was not banned.
 */
export async function storeBan(sql: Transaction, context: Keyed, affiliate: AffiliateRow): Promise<void> {
  const { organization } = context;
  const review = await findAffiliateReview(sql, organization.id, affiliate.id);
  if (!affiliate.banned || review === null) return;
  const { left_at, ban_reason } = review;
  if (left_at !== null && ban_reason === null) return;
  const addresses = [affiliate.email, ...(await listPayoutAddresses(sql, organization.id, affiliate.id))];
  await insertErasedBan(sql, organization.id, {
    affiliate_id: affiliate.id,
    reason: ban_reason && withoutPerson(ban_reason, affiliate),
    address_hashes: hashesOf(context, addresses),
    erased_at: new Date(),
  });
}

/**
 * Refuses new addresses of an affiliate that one had who was banned and erased. It is called after they were stored: that waits for an
 * erasure that releases the same address.
 *
 * @throws DomainError `affiliate_banned`
 */
export async function requireNoErasedBan(
  sql: Connection,
  context: Keyed,
  addresses: readonly string[],
): Promise<void> {
  const [found] = await listErasedBans(sql, context, addresses);
  if (found === undefined) return;
  throw new DomainError("affiliate_banned", { details: { affiliate_id: found.affiliate_id } });
}

/** The given addresses that erased, banned affiliates had, with these. */
export async function listErasedBans(
  sql: Connection,
  context: Keyed,
  addresses: readonly string[],
): Promise<{ address: string; affiliate_id: string }[]> {
  const { organization } = context;
  if (addresses.length === 0 || !(await hasErasedBans(sql, organization.id))) return [];
  const hashes = hashesOf(context, addresses);
  const bans = await findErasedBansByAddress(sql, organization.id, hashes);
  return addresses.flatMap((address) => {
    const own = hashesOf(context, [address]);
    const ban = bans.find(({ address_hashes }) => own.some((hash) => address_hashes.includes(hash)));
    return ban === undefined ? [] : [{ address, affiliate_id: ban.affiliate_id }];
  });
}

/**
 * Forgets the ban of an erased affiliate, so that the person can join or be added again. The erased affiliate itself stays banned.
 * Without a ban nothing changes. Errors: `not_found`.
 */
export async function liftErasedBan(context: Context, id: string): Promise<{ changed: number }> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    const affiliate = await lockAffiliate(sql, organization.id, id);
    if (affiliate === null) throw notFound("affiliate");
    if (!(await deleteErasedBan(sql, organization.id, affiliate.id))) return { changed: 0 };
    await writeAuditEntry(sql, context, {
      resource: "affiliate",
      id: affiliate.id,
      action: "updated",
      before: { may_join_again: false },
      after: { may_join_again: true },
    });
    return { changed: 1 };
  });
}

/** While SECRETS_KEY changes: one of each key. */
function hashesOf({ organization, secrets_key }: Keyed, addresses: readonly string[]): string[] {
  if (secrets_key === undefined) throw new Error("this context has no key for the hashes of addresses");
  const keys = readingKeys(secrets_key).map(hashKey);
  const normalized = new Set(addresses.map(normalize));
  return [...normalized].flatMap((address) =>
    keys.map((key) => createHmac("sha256", key).update(`${organization.id} ${address}`).digest("hex")),
  );
}

function hashKey(secrets_key: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee banned addresses", KEY_BYTES));
}

/** In lower case, without a tag: `Jane+news@example.com` and `jane@example.com` are one mailbox. */
function normalize(address: string): string {
  const lower = lowerCase(address.trim());
  const at = lower.lastIndexOf("@");
  const tag = lower.indexOf("+");
  return tag > 0 && tag < at ? lower.slice(0, tag) + lower.slice(at) : lower;
}

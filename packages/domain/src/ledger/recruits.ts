import {
  type CommissionChange,
  insertWrittenCommissions,
  type NewWrittenCommission,
  updateCommissions,
} from "@findersfee/database/commissions/changes";
import { findCommission } from "@findersfee/database/commissions/commissions";
import {
  findRecruitsCommissions,
  followReviews,
  insertRecruitTerms,
  listRecruitedAmounts,
  listRecruitTerms,
  lockRecruitLines,
  lockRecruitsCommissions,
  type RecruitPartRow,
  type RecruitRejection,
  type RecruitTermsRow,
} from "@findersfee/database/commissions/recruits";
import type { Connection } from "@findersfee/database/postgres/connect";
import { groupBy } from "../group-by.ts";
import { divideRounded, WHOLE_RATE } from "../money.ts";
import { serializeEvent, viewCommissionEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { postingsOfChange, postingsOfNew } from "./postings.ts";
import { type RecruitShares, recruitChange } from "./recruit-change.ts";

/**
 * Changes the commissions for recruits to their percentage of the recruits' commissions as they are now:
 * creates, changes, voids or corrects them, in the transaction of the change. `root_ids`: changed commissions
 * that correct no other one, and commissions with an added or changed correction. The terms of each
 * commission are stored when its recruit first has it.
 */
export async function followRecruits(
  sql: Connection,
  organizationId: string,
  { root_ids, cause }: { root_ids: readonly string[]; cause: string },
): Promise<void> {
  const ids = await findRecruitsCommissions(sql, organizationId, [...new Set(root_ids)].sort());
  if (ids.length === 0) return;
  await lockRecruitsCommissions(sql, organizationId, ids);
  const parts = groupBy(await listRecruitedAmounts(sql, organizationId, ids), ({ root_id }) => root_id);
  const terms = await storeTerms(sql, organizationId, { ids, parts: [...parts.values()].flat() });
  const lines = groupBy(
    await lockRecruitLines(sql, organizationId, ids),
    ({ recruit_commission_id }) => recruit_commission_id,
  );
  const now = new Date();
  const added: NewWrittenCommission[] = [];
  const changed: CommissionChange[] = [];
  for (const root_id of ids) {
    const stored = lines.get(root_id) ?? [];
    const wanted = sharesOf(root_id, { parts: parts.get(root_id) ?? [], terms, stored });
    if (wanted === null) continue;
    const change = recruitChange(wanted, { stored, now });
    added.push(...change.added.map((line) => ({ ...line, cause, review: null })));
    for (const after of change.changed) {
      const before = stored.find(({ id }) => id === after.id);
      if (before === undefined) throw new Error(`commission ${after.id} was not loaded`);
      changed.push({ before, after: { ...after, cause } });
    }
  }
  await updateCommissions(sql, organizationId, {
    changes: changed,
    postings: changed.flatMap(postingsOfChange),
  });
  await insertWrittenCommissions(sql, organizationId, {
    commissions: added,
    postings: added.flatMap(postingsOfNew),
  });
  await followReviews(sql, organizationId, ids);
  await announce(sql, organizationId, { added, now });
}

/**
 * The stored terms, and the terms of recruits who have a commission for the first time. A commission that a
 * person voided stays void for the recruiter, also when the recruit's commission moves to another of its
 * recruits.
 */
async function storeTerms(
  sql: Connection,
  organizationId: string,
  { ids, parts }: { ids: string[]; parts: readonly RecruitPartRow[] },
): Promise<Map<string, RecruitTermsRow>> {
  const known = await listRecruitTerms(sql, organizationId, ids);
  const terms = new Map<string, RecruitTermsRow>(known.map((row) => [termsKey(row), row]));
  const voided = new Set(
    known.flatMap((row) => (row.refusal === "voided" ? `${row.commission_id} ${row.recruiter_id}` : [])),
  );
  const added: RecruitTermsRow[] = [];
  for (const part of parts) {
    const { root_id: commission_id, recruit_id, recruiter_id } = part;
    if (terms.has(termsKey({ commission_id, recruit_id }))) continue;
    const refusal = refusalOf(part) ?? (voided.has(`${commission_id} ${recruiter_id}`) ? "voided" : null);
    const row: RecruitTermsRow = { commission_id, recruit_id, refusal };
    terms.set(termsKey(row), row);
    added.push(row);
  }
  await insertRecruitTerms(sql, organizationId, added);
  return terms;
}

function refusalOf({ recruiter_banned, recruiter_approved }: RecruitPartRow): RecruitRejection | null {
  if (recruiter_banned) return "recruiter_banned";
  return recruiter_approved ? null : "recruiter_not_approved";
}

function termsKey({ commission_id, recruit_id }: Pick<RecruitTermsRow, "commission_id" | "recruit_id">) {
  return `${commission_id} ${recruit_id}`;
}

interface SharesSources {
  parts: readonly RecruitPartRow[];
  terms: ReadonlyMap<string, RecruitTermsRow>;
  stored: Awaited<ReturnType<typeof lockRecruitLines>>;
}

/**
 * The recruiters' shares of a commission: each recruit's percentage of the rest. Null: nobody ever got any.
 */
function sharesOf(root_id: string, { parts, terms, stored }: SharesSources): RecruitShares | null {
  const [root] = parts;
  const [line] = stored;
  const { referral_id, referral_date, currency } = root ?? line ?? {};
  if (referral_id === undefined || referral_date === undefined || currency === undefined) return null;
  const shares = new Map<string, bigint>();
  for (const own of groupBy(parts, ({ recruit_id }) => recruit_id).values()) {
    const [{ recruit_id, recruiter_id, recruiting_rate, recruited_until }] = own as [RecruitPartRow];
    const refusal = terms.get(termsKey({ commission_id: root_id, recruit_id }))?.refusal ?? null;
    if (refusal !== null || referral_date >= recruited_until) continue;
    const minor = own.reduce((sum, part) => (part.voided ? sum : sum + part.commission_minor), 0n);
    const share = minor <= 0n ? 0n : divideRounded(minor * recruiting_rate, WHOLE_RATE);
    if (share > 0n) shares.set(recruiter_id, (shares.get(recruiter_id) ?? 0n) + share);
  }
  return { root_id, referral_id, referral_date, currency, shares };
}

async function announce(
  sql: Connection,
  organizationId: string,
  { added, now }: { added: readonly NewWrittenCommission[]; now: Date },
): Promise<void> {
  for (const { id, reversal_of } of added) {
    if (reversal_of !== null) continue;
    const row = await findCommission(sql, organizationId, id);
    if (row === null) throw new Error(`commission ${id} disappeared within its own transaction`);
    await recordEvent(
      sql,
      organizationId,
      serializeEvent("commission.created", viewCommissionEvent(row), now),
    );
  }
}

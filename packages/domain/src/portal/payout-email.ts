import type { ConfirmPayoutEmail, RequestedPayoutEmail } from "@findersfee/contract/portal/own-settings";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import {
  countPayoutEmailChanges,
  countPayoutEmailFailure,
  findPayoutEmailChange,
  insertClearedPayoutEmail,
  insertPayoutEmailChange,
  type PayoutEmailChangeRow,
  usePayoutEmailChange,
} from "@findersfee/database/portal/payout-email-changes";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { updateAffiliateWithin } from "../affiliates/update.ts";
import type { Context } from "../context.ts";
import { DomainError, invalidField } from "../errors.ts";
import { newId } from "../ids.ts";
import { holdWithin } from "../payouts/holds.ts";
import type { AffiliateSession } from "../principal.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { inTransaction } from "../transaction.ts";
import { isMailedCode } from "./mailed-code.ts";
import { ownOf } from "./own.ts";
import { type Acting, ownContext } from "./own-context.ts";

const MINUTES = 15;
/**
 * The hours that payouts wait after the affiliate has changed the payout email, so that its owner can object.
 */
const HOLD_HOURS = 72;
/** The reason of the hold, for staff. */
const CHANGED = "The affiliate changed its payout email in the portal within the last 72 hours.";
/** Wrong codes of a request; and of an affiliate in a day, in all its requests. */
const MAX_FAILURES = { of_request: 5, of_day: 20 };
/** Mails in a day: of an affiliate, and to an address, from all affiliates together. */
const MAX_REQUESTS = { of_affiliate: 5, of_address: 5 };
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface Confirming extends Acting {
  secrets_key: SecretsKey;
}

/**
 * Mails a code to a new payout email, and another to the sign-in address, if that is another one: a stolen session alone must not
 * redirect payouts. Nothing else changes before the code is entered in the same session; a newer request
 * replaces this one.
 *
 * @throws DomainError `affiliate_not_active`; `invalid_request` for the present address; `rate_limited`
 */
export async function requestPayoutEmail(
  acting: Acting,
  session: AffiliateSession,
  email: string,
): Promise<RequestedPayoutEmail> {
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + MINUTES * 60_000);
  const own = ownOf(session);
  await inTransaction(ownContext(acting, session), async (sql) => {
    const { payout_email, email: sign_in_email } = await lockActive(sql, session);
    if (payout_email === email) throw invalidField("email", "This is already your payout email.");
    await requireRoom(sql, session, { email, created_at });
    await insertPayoutEmailChange(sql, {
      ...own,
      id: newId(created_at),
      session_id: session.session_id,
      email,
      former_email: payout_email,
      created_at,
      expires_at,
      sign_in_email,
    });
    await notifyWorkers(sql, "mails", [own.organization_id]);
  });
  return { expires_at: expires_at.toISOString() };
}

/**
 * Lets payouts go to the sign-in address again, which needs no code: the person has proven it. Mails to both addresses say so. Without a
 * payout email nothing changes.
 *
 * @throws DomainError `affiliate_not_active`; `rate_limited`
 */
export async function clearPayoutEmail(acting: Acting, session: AffiliateSession): Promise<void> {
  const context = ownContext(acting, session);
  const own = ownOf(session);
  await inTransaction(context, async (sql) => {
    const before = await lockActive(sql, session);
    if (before.payout_email === null) return;
    const created_at = new Date();
    await requireRoom(sql, session, { email: before.email, created_at });
    await updateAffiliateWithin(sql, context, { id: session.affiliate_id, payout_email: null });
    await holdPayoutsOf(sql, context, before);
    await insertClearedPayoutEmail(sql, {
      ...own,
      id: newId(created_at),
      session_id: session.session_id,
      email: before.email,
      former_email: before.payout_email,
      at: created_at,
      recipients: formerAddresses(before),
    });
    await notifyWorkers(sql, "mails", [own.organization_id]);
  });
}

/** The session may be a second old. */
async function lockActive(
  sql: Transaction,
  { organization, affiliate_id }: AffiliateSession,
): Promise<AffiliateRow> {
  const row = await lockAffiliate(sql, organization.id, affiliate_id);
  if (row === null || !row.approved || row.banned) throw new DomainError("affiliate_not_active");
  return row;
}

async function requireRoom(
  sql: Transaction,
  session: AffiliateSession,
  { email, created_at }: { email: string; created_at: Date },
): Promise<void> {
  const since = new Date(created_at.getTime() - DAY_MILLISECONDS);
  const { of_affiliate, of_address } = await countPayoutEmailChanges(sql, {
    ...ownOf(session),
    email,
    since,
  });
  if (of_affiliate < MAX_REQUESTS.of_affiliate && of_address < MAX_REQUESTS.of_address) return;
  throw new DomainError("rate_limited", {
    message: `You can ask for ${MAX_REQUESTS.of_affiliate} codes a day. Try again tomorrow.`,
    retry_after_seconds: 60 * 60,
  });
}

/**
 * Changes the payout email to the address that the code was mailed to, holds payouts for 72 hours, and writes mails to the sign-in
 * address and the former payout email.
 *
 * @throws DomainError `code_invalid` for a wrong, used or expired code, and one of another session or affiliate, and for an address
 * of a banned affiliate that was erased;
 * `payout_email_changed` if the organization has changed the address since; `affiliate_not_active`
 */
export async function confirmPayoutEmail(
  { secrets_key, ...acting }: Confirming,
  session: AffiliateSession,
  { code, sign_in_code }: ConfirmPayoutEmail,
): Promise<void> {
  const context = ownContext({ ...acting, secrets_key }, session);
  const is_right = await inTransaction(context, async (sql) => {
    const before = await lockActive(sql, session);
    const change = await openChange(sql, session);
    const is_code = isMailedCode(secrets_key, { id: change.id, code, kind: "payout email codes" });
    const is_owner =
      isSameAddress(change.email, before.email) ||
      isMailedCode(secrets_key, {
        id: change.id,
        code: sign_in_code ?? "",
        kind: "sign-in codes of payout emails",
      });
    if (!is_code || !is_owner) {
      // The transaction keeps the count.
      await countPayoutEmailFailure(sql, { organization_id: session.organization.id, id: change.id });
      return false;
    }
    if (before.payout_email !== change.former_email) throw new DomainError("payout_email_changed");
    await setPayoutEmail(sql, context, { id: session.affiliate_id, payout_email: change.email });
    await holdPayoutsOf(sql, context, before);
    await usePayoutEmailChange(sql, {
      organization_id: session.organization.id,
      id: change.id,
      used_at: new Date(),
      recipients: formerAddresses(before),
    });
    await notifyWorkers(sql, "mails", [session.organization.id]);
    return true;
  });
  if (!is_right) throw new DomainError("code_invalid");
}

/**
 * The person has proven the address, so the answer reveals the ban of its erased affiliate to nobody else.
 */
async function setPayoutEmail(
  sql: Transaction,
  context: Context,
  input: { id: string; payout_email: string },
): Promise<void> {
  await updateAffiliateWithin(sql, context, input).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "affiliate_banned") throw error;
    throw new DomainError("code_invalid", {
      message: "The program pays nothing to this address. Write to the organization, or use another one.",
      details: { reason: "refused" },
    });
  });
}

/** A hold that a person or a ban set stays as it is. */
async function holdPayoutsOf(sql: Transaction, context: Context, { id }: AffiliateRow): Promise<void> {
  const ends_at = new Date(Date.now() + HOLD_HOURS * 60 * 60_000);
  await holdWithin(sql, context, { id, reason: CHANGED, of_ban: false, ends_at });
}

/** Where the owner of the account reads of the change. */
function formerAddresses({ email, payout_email }: AffiliateRow): string[] {
  if (payout_email === null || isSameAddress(payout_email, email)) return [email];
  return [email, payout_email];
}

async function openChange(sql: Transaction, session: AffiliateSession): Promise<PayoutEmailChangeRow> {
  const now = new Date();
  const since = new Date(now.getTime() - DAY_MILLISECONDS);
  const change = await findPayoutEmailChange(sql, { ...ownOf(session), since });
  if (change === null || change.session_id !== session.session_id) throw expired();
  if (change.used_at !== null || change.expires_at <= now) throw expired();
  if (change.failures >= MAX_FAILURES.of_request) throw expired();
  if (change.all_failures < MAX_FAILURES.of_day) return change;
  throw new DomainError("code_invalid", {
    message: "Too many wrong codes today. Try again tomorrow.",
    details: { reason: "too_many" },
  });
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function expired(): DomainError {
  return new DomainError("code_invalid", {
    message: "This code was used, has expired, or was requested in another browser. Request a new one.",
    details: { reason: "expired" },
  });
}

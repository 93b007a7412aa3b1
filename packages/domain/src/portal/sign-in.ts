import type { SignedIn } from "@findersfee/contract/portal/join";
import type { LinkAccount } from "@findersfee/contract/portal/sign-in";
import {
  countPortalCodeFailure,
  countPortalCodeFailures,
  findEmailOfLink,
  lockPortalCodeOfBrowser,
  lockPortalCodeOfLink,
  type OpenPortalCodeRow,
  requestPortalCode,
  usePortalCode,
} from "@findersfee/database/portal/codes";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { isCodeTaken } from "../affiliates/conflicts.ts";
import { CODE_TRIES } from "../affiliates/create.ts";
import { maskedEmail } from "../customers/referrals/shown-email.ts";
import { DomainError } from "../errors.ts";
import type { Browser } from "../identity/accounts/browser.ts";
import type { OpenedSession } from "../identity/accounts/open-session.ts";
import { hashSecretToken, isSecretToken } from "../identity/accounts/secret-token.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { agree } from "./agreements.ts";
import { completeJoining, joiningOf } from "./complete-joining.ts";
import { isMailedCode } from "./mailed-code.ts";
import { type CodeRequest, newRequestedCode, type RequestedCode } from "./new-code.ts";
import { openPortalSession } from "./open-session.ts";

/** Strangers can ask for codes, but neither flood a mailbox nor keep the person from getting one. */
const LIMITS = { open_of_network: 5, open_of_all: 60, day_of_network: 15, day_of_all: 180 };
/** Wrong codes of a request. */
const MAX_FAILURES = 5;
/**
 * Wrong codes of an address in a day, in all browsers. Beyond them only links are accepted: guessing then succeeds once in
 * 20,000 days, and nobody can keep the person out.
 */
const MAX_FAILURES_OF_DAY = 50;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface SigningIn {
  database: Database;
  secrets_key: SecretsKey;
}

/** Parts of a sign-in that can create an affiliate. */
interface Entering extends SigningIn {
  /** Notifies the workers of a new affiliate's events and mails. */
  notifyWorkers: (organization_id: string) => void;
}

/** An accepted code. */
export interface Entered extends SignedIn {
  session: OpenedSession;
}

/**
 * Mails a code and a link to an affiliate; `limited_to`, to one of this organization. Nothing shows whether one has the address: the same statement writes a row in
 * either case.
 */
export async function requestCode(
  { database, secrets_key }: SigningIn,
  request: CodeRequest,
): Promise<RequestedCode> {
  const { code, requested } = newRequestedCode(secrets_key, request);
  const organization_id = await requestPortalCode(database, code, LIMITS);
  return { ...requested, organization_id };
}

/**
 * Signs an affiliate in by the mailed code, in the browser that asked for it. An application that came with the code becomes
 * an affiliate in the same transaction.
 *
 * @throws DomainError `code_invalid` for a wrong, used or expired code, or one of another browser or limit; `application_outdated`
 */
export async function signInWithMailedCode(
  entering: Entering,
  { token, code, limited_to }: { token: string; code: string; limited_to: string | null },
  browser: Browser,
): Promise<Entered> {
  const entered = await enter(entering, async (sql) => {
    const now = new Date();
    const open = isSecretToken(token)
      ? await lockPortalCodeOfBrowser(sql, { browser_hash: hashSecretToken(token), limited_to, now })
      : null;
    if (open === null || open.failures >= MAX_FAILURES) throw expiredCode();
    const since = new Date(now.getTime() - DAY_MILLISECONDS);
    const failures = await countPortalCodeFailures(sql, { email: open.email, since });
    if (failures >= MAX_FAILURES_OF_DAY) throw tooManyCodes();
    const is_right = isMailedCode(entering.secrets_key, { id: open.id, code }) && open.mailed;
    if (is_right) return await accept(sql, open, { browser, ...entering });
    // Thrown after the transaction, which keeps the count.
    await countPortalCodeFailure(sql, open.id);
    return null;
  });
  if (entered === null) throw new DomainError("code_invalid");
  return entered;
}

/**
 * The same by the mailed link, in any browser. Mail scanners open links, so the page behind it has a button.
 *
 * @throws DomainError `link_invalid`, `application_outdated`
 */
export async function signInWithMailedLink(
  entering: Entering,
  { token, limited_to }: { token: string; limited_to: string | null },
  browser: Browser,
): Promise<Entered> {
  return await enter(entering, async (sql) => {
    const open = isSecretToken(token)
      ? await lockPortalCodeOfLink(sql, { link_hash: hashSecretToken(token), limited_to, now: new Date() })
      : null;
    if (open === null) throw new DomainError("link_invalid");
    return await accept(sql, open, { browser, ...entering });
  });
}

/**
 * The account of a mailed link, masked. It changes nothing.
 *
 * @throws DomainError `link_invalid`
 */
export async function getLinkAccount(
  { database }: Pick<SigningIn, "database">,
  { token, limited_to }: { token: string; limited_to: string | null },
): Promise<LinkAccount> {
  const email = isSecretToken(token)
    ? await findEmailOfLink(database, { link_hash: hashSecretToken(token), limited_to, now: new Date() })
    : null;
  if (email === null) throw new DomainError("link_invalid");
  return { email: maskedEmail(email) };
}

type Accepted = Entered & { organization_id: string | null };

/**
 * Runs the transaction of a sign-in. It is repeated when another request took the generated code of a new affiliate first,
 * or created the affiliate itself: then that one is found.
 */
async function enter<Result extends Accepted | null>(
  { database, notifyWorkers }: Entering,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries_left = CODE_TRIES - 1; ; tries_left--) {
    try {
      const entered = await transaction(database, work);
      if (entered?.joined?.is_new && entered.organization_id !== null) notifyWorkers(entered.organization_id);
      return entered;
    } catch (error) {
      const was_first = isCodeTaken(error) || violatedUnique(error) === "affiliates_campaign_email";
      if (!was_first || tries_left === 0) throw error;
    }
  }
}

async function accept(
  sql: Transaction,
  open: OpenPortalCodeRow,
  { browser, secrets_key }: { browser: Browser; secrets_key: SecretsKey },
): Promise<Accepted> {
  const { id, email, limited_to, organization_id } = open;
  await usePortalCode(sql, { id, used_at: new Date() });
  const joining = joiningOf(open);
  const joined = joining === null ? null : await completeJoining(sql, joining, secrets_key);
  // A person who comes to the organization's own host name knows the organization.
  if (limited_to !== null) await agree(sql, { organization_id: limited_to, email, affiliate_id: null });
  const session = await openPortalSession(sql, { email, limited_to }, browser);
  return { session, joined, organization_id };
}

function expiredCode(): DomainError {
  return new DomainError("code_invalid", {
    message: "This code was used, has expired, or was requested in another browser. Request a new one.",
    details: { reason: "expired" },
  });
}

function tooManyCodes(): DomainError {
  return new DomainError("code_invalid", {
    message: "Too many wrong codes for this address today. Use the link in the email instead.",
    details: { reason: "too_many" },
  });
}

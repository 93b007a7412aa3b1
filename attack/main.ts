/* Attacks a running service: `pnpm attack --url http://127.0.0.1:3000 --keys attacked.json`. */
import { setMaxListeners } from "node:events";
import { type Attack, Missing, type Outcome, skipped } from "./attack.ts";
import { actingStaff } from "./attacks/acting-staff.ts";
import { blockedSignIns } from "./attacks/blocked-sign-ins.ts";
import { claimedHost } from "./attacks/claimed-host.ts";
import { closedProgram } from "./attacks/closed-program.ts";
import { erasedCodes } from "./attacks/erased-codes.ts";
import { evadedBan } from "./attacks/evaded-ban.ts";
import { filledAuditLog } from "./attacks/filled-audit-log.ts";
import { foreignWords } from "./attacks/foreign-words.ts";
import { forgedAgreement } from "./attacks/forged-agreement.ts";
import { forgedHeaders } from "./attacks/forged-headers.ts";
import { guessedPasswords } from "./attacks/guessed-passwords.ts";
import { longLines } from "./attacks/long-lines.ts";
import { longNumber } from "./attacks/long-number.ts";
import { occupiedSlots } from "./attacks/occupied-slots.ts";
import { redirectedPayouts } from "./attacks/redirected-payouts.ts";
import { releasedName } from "./attacks/released-name.ts";
import { removedMember } from "./attacks/removed-member.ts";
import { slowMessages } from "./attacks/slow-messages.ts";
import { stolenCommissions } from "./attacks/stolen-commissions.ts";
import { unboundedWrites } from "./attacks/unbounded-writes.ts";
import { unseenSignIns } from "./attacks/unseen-sign-ins.ts";
import { withheldCodes } from "./attacks/withheld-codes.ts";
import { HELP, type Options, readOptions } from "./options.ts";

/** The last two use up the key's rate limit and the address's failed authentications for this minute. */
const ATTACKS: readonly Attack[] = [
  longNumber,
  stolenCommissions,
  forgedAgreement,
  unboundedWrites,
  claimedHost,
  filledAuditLog,
  evadedBan,
  removedMember,
  actingStaff,
  redirectedPayouts,
  foreignWords,
  blockedSignIns,
  closedProgram,
  withheldCodes,
  guessedPasswords,
  unseenSignIns,
  releasedName,
  erasedCodes,
  longLines,
  slowMessages,
  occupiedSlots,
  forgedHeaders,
];

/** Guesses of passwords take long on a busy machine. */
const ATTACK_MILLISECONDS = 240_000;

const WORDS = { repelled: "pass", succeeded: "FAIL", skipped: "skip" } as const;

async function main(): Promise<void> {
  const options = await readOptions().catch((error: unknown) => {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return null;
  });
  if (options === null) {
    process.exitCode = 2;
    return;
  }
  const unknown = options.only.filter((id) => !ATTACKS.some((attack) => attack.id === id));
  if (unknown.length > 0) throw new Error(`Unknown attack: ${unknown.join(", ")}.`);
  for (const attack of ATTACKS) {
    if (options.only.length > 0 && !options.only.includes(attack.id)) continue;
    const { result, detail } = await run(attack, options);
    console.log(`${WORDS[result]}  ${attack.id}  ${attack.name}\n      ${detail}`);
    if (result === "succeeded") process.exitCode = 1;
  }
}

/**
 * Runs one attack within its time limit. A service that does not respond in time counts as not having
 * withstood it.
 */
async function run(attack: Attack, { only: _, ...given }: Options): Promise<Outcome> {
  const signal = AbortSignal.timeout(ATTACK_MILLISECONDS);
  // Each connection adds a listener.
  setMaxListeners(0, signal);
  try {
    return await attack.run({ ...given, signal });
  } catch (error) {
    if (error instanceof Missing) return skipped(`needs ${error.message}`);
    const reason = error instanceof Error ? error.message : String(error);
    return {
      result: "succeeded",
      detail: signal.aborted ? `no response within ${ATTACK_MILLISECONDS / 1000} s` : `no result: ${reason}`,
    };
  }
}

await main();

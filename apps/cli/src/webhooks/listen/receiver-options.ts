import type { Command } from "commander";
import { z } from "zod";
import type { DeveloperConfig } from "../../config.ts";
import { UsageError } from "../../options.ts";
import { receiverAddress } from "./addresses.ts";
import { listenSecret, SIGNING_SECRET, signingSecret } from "./secret.ts";
import { stateFolder } from "./state-folder.ts";

/** The options for a local receiver. */
export const receiverOptions = {
  forwardTo: receiverAddress.optional(),
  apiKey: z.string().optional(),
  secret: signingSecret(`Must be ${SIGNING_SECRET}.`).optional(),
};

/** Adds these options to a command. */
export function withReceiver(command: Command): Command {
  return command
    .option("--forward-to <url>", "the receiver's address, as in http://localhost:4242/webhooks")
    .option("--api-key <key>", "a secret key with the scope read (FINDERSFEE_API_KEY)")
    .option(
      "--secret <secret>",
      "the signing secret (WEBHOOK_SECRET); default: derived from this machine and the API key",
    );
}

/** The organization's API key. */
export function requireApiKey(option: string | undefined, config: DeveloperConfig): string {
  const api_key = option ?? config.FINDERSFEE_API_KEY;
  if (api_key !== null) return api_key;
  throw new UsageError("--api-key: Required (or FINDERSFEE_API_KEY): a secret key with the scope read.");
}

/** The secret that the receiver uses to verify: the configured one, or this machine's default. */
export async function receiverSecret(
  options: { secret?: string | undefined; apiKey?: string | undefined },
  config: DeveloperConfig,
): Promise<{ secret: string; is_given: boolean }> {
  const given = options.secret ?? config.WEBHOOK_SECRET;
  if (given !== null) return { secret: given, is_given: true };
  const api_key = options.apiKey ?? config.FINDERSFEE_API_KEY;
  if (api_key === null) {
    throw new UsageError(
      "--secret: Required (or WEBHOOK_SECRET): the secret that the receiver verifies with. With --api-key (FINDERSFEE_API_KEY), it defaults to the one that `listen` uses with that key.",
    );
  }
  return { secret: await listenSecret(stateFolder(config), api_key), is_given: false };
}

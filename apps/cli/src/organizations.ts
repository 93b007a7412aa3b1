import { currencyInput, idInput, name } from "@findersfee/contract/fields";
import type { SecurityPolicy } from "@findersfee/contract/identity/security-policies";
import { publicSignups, updateSettingsInput } from "@findersfee/contract/organizations";
import { liftablePolicies, liftSecurityPolicies } from "@findersfee/domain/identity/policies/update";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { listOrganizations } from "@findersfee/domain/organizations/list";
import { setMailQuota } from "@findersfee/domain/organizations/set-mail-quota";
import { rotateSignupSecret } from "@findersfee/domain/organizations/settings/rotate-signup-secret";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { updateOrganization } from "@findersfee/domain/organizations/update";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "./command-database.ts";
import { readConfig, requireSecretsKey } from "./config.ts";
import { withOrganization } from "./operator-context.ts";
import { jsonOption, readArgument, readOptions, UsageError, withJson } from "./options.ts";
import { printList, printOne } from "./print.ts";
import { openSecretsKey } from "./secrets/read.ts";

const SUBSCRIPTIONS = ["active", "trialing", "past_due", "canceled"] as const;
const subscription = z.enum(SUBSCRIPTIONS);
const SUBSCRIPTION_FLAG = "--subscription <status>";

/** Null: the service's default. */
const mailQuota = z.union([
  z.literal("default").transform(() => null),
  z.coerce.number().pipe(z.int().min(0).max(100_000_000)),
]);

export function addOrg(program: Command): void {
  const org = program.command("org").description("organizations");
  addCreate(org);
  addUpdate(org);
  addSignupSecret(org);
  addLift(org);
  addList(org);
}

function addCreate(org: Command): void {
  const command = org
    .command("create")
    .description("create an organization with its first two keys")
    .requiredOption("--name <name>", "its name")
    .option("--currency <code>", "ISO 4217 currency of fixed amounts; cannot be changed later", "USD")
    .option(SUBSCRIPTION_FLAG, SUBSCRIPTIONS.join(", "), "active")
    .addHelpText(
      "after",
      `
The API key is shown only once.

Examples:
  findersfee org create --name "Acme"
  findersfee org create --name "Acme" --currency EUR --subscription trialing --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = { ...jsonOption, name: name(200), currency: currencyInput, subscription };
    const { json, ...options } = readOptions(shape, raw);
    const created = await withDatabase(readConfig(), (database) =>
      createOrganization(database, {
        name: options.name,
        currency: options.currency,
        subscription_status: options.subscription,
      }),
    );
    printOne({ ...created }, { json });
  });
}

const websiteDomains = z
  .string()
  .transform((names) => names.split(",").filter((name) => name.trim() !== ""))
  .pipe(updateSettingsInput.shape.website_domains.unwrap());

function addUpdate(org: Command): void {
  const command = org
    .command("update")
    .description("update an organization")
    .argument("<id>", "the organization's id")
    .option(SUBSCRIPTION_FLAG, SUBSCRIPTIONS.join(", "))
    .option(
      "--public-signups <which>",
      `which sign-ups with the publishable key count: ${publicSignups.join(", ")}`,
    )
    .option(
      "--website-domains <names>",
      "other domains where pages can track, separated by commas; empty: none",
    )
    .option(
      "--mails-to-strangers <count>",
      "the most emails a day to people who have not agreed; 0: no limit; default: QUOTA_MAILS_TO_STRANGERS",
    )
    .addHelpText(
      "after",
      `
Examples:
  findersfee org update 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --subscription canceled
  findersfee org update 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --public-signups signed
  findersfee org update 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --mails-to-strangers 5000`,
    );
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const shape = {
      ...jsonOption,
      subscription: subscription.optional(),
      publicSignups: z.enum(publicSignups).optional(),
      websiteDomains: websiteDomains.optional(),
      mailsToStrangers: mailQuota.optional(),
    };
    const {
      json,
      publicSignups: public_signups,
      websiteDomains: website_domains,
      mailsToStrangers: mails_to_strangers,
      subscription: subscription_status,
    } = readOptions(shape, raw);
    const settings = { public_signups, website_domains, mails_to_strangers };
    if (subscription_status === undefined && Object.values(settings).every((value) => value === undefined)) {
      throw new UsageError(
        "Set --subscription, --public-signups, --website-domains or --mails-to-strangers.",
      );
    }
    const updated = await withDatabase(readConfig(), async (database) => {
      if (public_signups !== undefined || website_domains !== undefined) {
        const changed = { public_signups, website_domains };
        await withOrganization(database, id, (context) => updateSettings(context, changed));
      }
      if (mails_to_strangers !== undefined) await setMailQuota(database, { id, mails_to_strangers });
      const organization = await updateOrganization(database, { id, subscription_status });
      const set = Object.entries(settings).filter(([, value]) => value !== undefined);
      return { ...organization, ...Object.fromEntries(set) };
    });
    printOne({ ...updated }, { json });
  });
}

function addSignupSecret(org: Command): void {
  const command = org
    .command("signup-secret")
    .description(
      "create or rotate the secret for signing sign-ups; the previous one stays valid for 24 hours",
    )
    .argument("<id>", "the organization's id")
    .addHelpText("after", "\nThe secret is shown only once.");
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json } = readOptions(jsonOption, raw);
    const config = readConfig();
    requireSecretsKey(config);
    const made = await withDatabase(config, async (database) => {
      const secrets_key = await openSecretsKey(config, database);
      return await withOrganization(database, id, (context) => rotateSignupSecret(context, secrets_key));
    });
    printOne({ organization_id: id, ...made }, { json });
  });
}

function addLift(org: Command): void {
  const command = org
    .command("lift")
    .description("lift the security policies of an organization that nobody can open anymore")
    .argument("<id>", "the organization's id")
    .requiredOption("--policies <names>", `separated by commas: ${liftablePolicies.join(", ")}`)
    .addHelpText(
      "after",
      `
Open pages work again within a second. The audit log shows the change, and owners get an email.

Example:
  findersfee org lift 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --policies staff-networks,second-factor`,
    );
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, policies } = readOptions({ ...jsonOption, policies: policyNames }, raw);
    const policy = await withDatabase(readConfig(), (database) =>
      withOrganization(database, id, (context) => liftSecurityPolicies(context, policies)),
    );
    printOne({ organization_id: id, ...shownPolicy(policy) }, { json });
  });
}

const policyNames = z
  .string()
  .transform((names) => names.split(",").map((name) => name.trim()))
  .pipe(z.array(z.enum(liftablePolicies, { error: `Must be some of ${liftablePolicies.join(", ")}.` })));

function shownPolicy({ key_networks, staff_networks, approval_amounts, ...policy }: SecurityPolicy) {
  return {
    ...policy,
    key_networks: key_networks.join(" "),
    staff_networks: staff_networks.join(" "),
    approval_amounts: approval_amounts === null ? null : JSON.stringify(approval_amounts),
  };
}

function addList(org: Command): void {
  const command = org
    .command("list")
    .description("list all organizations, oldest first")
    .addHelpText("after", "\n`test_of` is the organization that the test data belongs to.");
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const organizations = await withDatabase(readConfig(), listOrganizations);
    printList(
      organizations.map((organization) => ({ ...organization })),
      { json, none: "No organizations." },
    );
  });
}

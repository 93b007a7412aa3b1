import { idInput, name } from "@findersfee/contract/fields";
import { accountEmailInput } from "@findersfee/contract/identity/account-fields";
import { roles } from "@findersfee/contract/identity/roles";
import { linkTo } from "@findersfee/domain/identity/accounts/links";
import { makeSetupLink, type SetupLink } from "@findersfee/domain/identity/setup/links";
import { createUser } from "@findersfee/domain/identity/users/create";
import { setUserDisabled } from "@findersfee/domain/identity/users/disable";
import { listUsers, type User } from "@findersfee/domain/identity/users/list";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { type Config, readConfig } from "../config.ts";
import { jsonOption, readArgument, readOptions, withJson } from "../options.ts";
import { type Printable, printList, printOne } from "../print.ts";

export function addUser(program: Command): void {
  const user = program.command("user").description("people who sign in to the dashboard");
  addCreate(user);
  addLink(user);
  addList(user);
  addDisable(user);
  addEnable(user);
}

function addCreate(user: Command): void {
  const command = user
    .command("create")
    .description("create a user as a member of an organization, and print the link to set a password")
    .requiredOption("--email <email>", "the person's email")
    .requiredOption("--org <id>", "the organization")
    .option("--name <name>", "the person's name; default: the email")
    .option("--role <role>", roles.join(", "), "owner")
    .addHelpText(
      "after",
      `
The link works once, for 24 hours, and is shown only once. An existing user joins the organization without a link.

Example:
  findersfee user create --email jane@example.com --name "Jane Doe" --org <id> --role admin`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      email: accountEmailInput,
      org: idInput,
      name: name(200).optional(),
      role: z.enum(roles, { error: `Must be one of ${roles.join(", ")}.` }),
    };
    const { json, org: organization_id, email, role, ...options } = readOptions(shape, raw);
    const config = readConfig();
    const input = { email, name: options.name ?? email, organization_id, role };
    const { user_id, link } = await withDatabase(config, (database) => createUser(database, input));
    printOne({ user_id, email, role, ...shownLink(config, link) }, { json });
  });
}

function addLink(user: Command): void {
  const command = user
    .command("link")
    .description("print a link to set a new password, or to create the first user")
    .option("--email <email>", "the user's email; leave it out if there are no users yet")
    .addHelpText(
      "after",
      `
The link works once, for 24 hours. It replaces earlier ones, and is shown only once. Setting a new password removes the
user's passkeys and authenticator app, and ends all sessions.

Examples:
  findersfee user link
  findersfee user link --email jane@example.com`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = { ...jsonOption, email: accountEmailInput.nullable().default(null) };
    const { json, email } = readOptions(shape, raw);
    const config = readConfig();
    const link = await withDatabase(config, (database) => makeSetupLink(database, email));
    printOne(shownLink(config, link), { json });
  });
}

function addList(user: Command): void {
  const command = user.command("list").description("list all users, oldest first; --json shows all fields");
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const users = await withDatabase(readConfig(), listUsers);
    printList(
      users.map((listed) => (json ? { ...listed } : shortly(listed))),
      { json, none: "No users. Create the first one with the link of `findersfee user link`." },
    );
  });
}

function shortly({ email, name, disabled_at, two_factor_enabled }: User): Printable {
  return {
    email,
    name,
    state: disabled_at === null ? "active" : "disabled",
    second_factor: two_factor_enabled,
  };
}

function addDisable(user: Command): void {
  const command = user
    .command("disable")
    .description("disable a user: sessions end within a second, and nobody can sign in as this user")
    .argument("<email>", "the user's email")
    .addHelpText("after", "\nExample:\n  findersfee user disable jane@example.com");
  withJson(command).action((email: unknown, raw: unknown) => setDisabled(true, email, raw));
}

function addEnable(user: Command): void {
  const command = user
    .command("enable")
    .description("enable a disabled user")
    .argument("<email>", "the user's email");
  withJson(command).action((email: unknown, raw: unknown) => setDisabled(false, email, raw));
}

async function setDisabled(disabled: boolean, rawEmail: unknown, raw: unknown): Promise<void> {
  const email = readArgument("<email>", accountEmailInput, rawEmail);
  const { json } = readOptions(jsonOption, raw);
  const user = await withDatabase(readConfig(), (database) => setUserDisabled(database, { email, disabled }));
  printOne({ ...user }, { json });
}

/** The link at the address that the configuration names; a service on another port or host is reached there. */
function shownLink(config: Config, link: SetupLink | null): Printable {
  if (link === null) return { link: null };
  const host = config.HOST === "0.0.0.0" || config.HOST === "::" ? "localhost" : config.HOST;
  const address = config.PUBLIC_URL ?? `http://${host.includes(":") ? `[${host}]` : host}:${config.PORT}`;
  return { link: linkTo(address, "setup", link.token), expires_at: link.expires_at };
}

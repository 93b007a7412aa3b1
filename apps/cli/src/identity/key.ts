import { idInput, name, timestampInput } from "@findersfee/contract/fields";
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { type ApiKey, listApiKeys } from "@findersfee/domain/identity/api-keys/list";
import { revokeApiKey } from "@findersfee/domain/identity/api-keys/revoke";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { commaList, jsonOption, readArgument, readOptions, withJson } from "../options.ts";
import { type Printable, printList, printOne } from "../print.ts";

const scopes = commaList.pipe(
  z.array(
    z.enum(["read", "write", "view", "admin", "audit", "track"], {
      error: "Must be some of read, write, view, admin and audit; or only track.",
    }),
  ),
);

/** A date, from midnight UTC, or a date-time. */
const expires = z.string().transform((text, context) => {
  const { data } = z.union([z.iso.date(), timestampInput]).safeParse(text);
  if (data !== undefined) return new Date(data);
  context.addIssue({
    code: "custom",
    message: "Must be a date or date-time, as in 2027-01-31 or 2027-01-31T12:00:00Z.",
  });
  return z.NEVER;
});

export function addKey(program: Command): void {
  const key = program.command("key").description("API keys");
  addCreate(key);
  addList(key);
  addRevoke(key);
}

function addCreate(key: Command): void {
  const command = key
    .command("create")
    .description("create an API key")
    .requiredOption("--org <id>", "the key's organization")
    .requiredOption(
      "--scopes <list>",
      "some of read, write (the API), view, admin (the dashboard's operations), audit (the audit log with security events); or track for a publishable key",
    )
    .option("--name <name>", "the key's name", "API key")
    .option("--expires <time>", "a date or date-time; default: never")
    .addHelpText(
      "after",
      `
A secret key is shown only once. \`admin\` includes \`view\`. Add \`read\` and \`write\` if the key also needs the API.
To rotate a key, create a new one, then revoke the old one when nothing uses it.

Examples:
  findersfee key create --org <id> --scopes read,write
  findersfee key create --org <id> --scopes read --name "Reports" --expires 2027-01-31 --json
  findersfee key create --org <id> --scopes view --name "Delivery monitor"
  findersfee key create --org <id> --scopes audit --name "SIEM"`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      org: idInput,
      scopes,
      name: name(200),
      expires: expires.nullable().default(null),
    };
    const { json, org, ...options } = readOptions(shape, raw);
    const { id, token, ...created } = await withDatabase(readConfig(), (database) =>
      createApiKey(database, {
        organization_id: org,
        name: options.name,
        scopes: options.scopes,
        expires_at: options.expires,
      }),
    );
    printOne({ key_id: id, api_key: token, ...created }, { json });
  });
}

function addList(key: Command): void {
  const command = key
    .command("list")
    .description("list API keys by their last characters, oldest first; --json shows all fields")
    .option("--org <id>", "only keys of this organization");
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput.nullable().default(null) }, raw);
    const keys = await withDatabase(readConfig(), (database) => listApiKeys(database, org));
    printList(
      keys.map((listed) => (json ? { ...listed } : shortly(listed))),
      { json, none: "No API keys." },
    );
  });
}

/** The distinguishing fields of a key, on a line of 80 characters. */
function shortly({ id, scopes, last_four, revoked_at, expires_at, name }: ApiKey): Printable {
  const ended = revoked_at !== null || (expires_at !== null && expires_at <= new Date());
  return { id, scopes, ends: last_four, state: ended ? "ended" : "active", name };
}

function addRevoke(key: Command): void {
  const command = key
    .command("revoke")
    .description("revoke an API key; every process rejects it within a second")
    .argument("<id>", "the key's id, as `key list` shows it")
    .addHelpText(
      "after",
      `
Example:
  findersfee key revoke 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`,
    );
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json } = readOptions(jsonOption, raw);
    const revoked = await withDatabase(readConfig(), (database) => revokeApiKey(database, id));
    printOne({ ...revoked }, { json });
  });
}

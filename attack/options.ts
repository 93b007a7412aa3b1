import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { parseArgs } from "node:util";
import type { Account, Target } from "./attack.ts";
import { fieldsOf, textOf } from "./request.ts";

export const HELP = `Attacks a running service on this machine, and exits with 1 if an attack gets through.

  PUBLIC_URL=http://127.0.0.1:3000 pnpm start > service.log
  pnpm --silent findersfee org create --name Attacked --json > attacked.json
  pnpm --silent findersfee processor connect generic --org <organization id>
  pnpm --silent findersfee user create --email owner@example.com --org <organization id> --json > owner.json
  pnpm --silent findersfee org create --name Rival --json
  pnpm --silent findersfee user create --email rival@example.com --org <its id> --json > rival.json
  pnpm attack --url http://127.0.0.1:3000 --keys attacked.json --owner owner.json --rival rival.json --log service.log

  --url    the service's address; only loopback addresses are accepted
  --keys   the organization's keys, as \`org create --json\` prints them. The attacks create campaigns,
           affiliates, members and referrals in it, so use an organization that you can throw away
  --owner  an owner of it, as \`user create --json\` prints it. Use new owners, since the attacks set their passwords
  --rival  an owner of another organization that you can throw away
  --log    the file with the service's output, which has the mails of a service without a mail server
  --only   the attacks to run, such as S1,S4

Attacks that need what is not given are skipped.
`;

export interface Options extends Omit<Target, "signal"> {
  /** Empty for all attacks. */
  only: string[];
}

const option = { type: "string" } as const;

/** Parses the command line. Throws an error that describes the problem. */
export async function readOptions(): Promise<Options> {
  const { values } = parseArgs({
    options: { url: option, keys: option, owner: option, rival: option, log: option, only: option },
  });
  if (values.url === undefined || values.keys === undefined)
    throw new Error("--url and --keys are required.");
  await requireLoopback(values.url);
  const keys = fieldsOf(JSON.parse(await readFile(values.keys, "utf8")));
  return {
    url: values.url.replace(/\/$/, ""),
    api_key: textOf(keys.api_key),
    publishable_key: textOf(keys.publishable_key),
    organization_id: textOf(keys.organization_id),
    owner: await readAccount(values.owner),
    rival: await readAccount(values.rival),
    log: values.log ?? null,
    only: values.only?.split(",").map((id) => id.trim()) ?? [],
  };
}

async function readAccount(file: string | undefined): Promise<Account | null> {
  if (file === undefined) return null;
  const { email, link } = fieldsOf(JSON.parse(await readFile(file, "utf8")));
  if (link === null)
    throw new Error(`${file} has no link, since the user existed before. Create another user.`);
  return { email: textOf(email), link: textOf(link) };
}

/** Rejects targets other than this machine. */
async function requireLoopback(url: string): Promise<void> {
  const { hostname, protocol } = new URL(url);
  if (protocol !== "http:") throw new Error(`--url ${url}: must begin with http://`);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
  const is_loopback = addresses.every(
    ({ address }) => address === "::1" || (isIPv4(address) && address.startsWith("127.")),
  );
  if (!is_loopback) throw new Error(`--url ${url}: only loopback addresses are allowed.`);
}

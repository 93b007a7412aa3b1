import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { parseArgs } from "node:util";
import { fieldsOf, textOf } from "./request.ts";

export const HELP = `Attacks a running service on this machine, and exits with 1 if an attack gets through.

  pnpm --silent findersfee org create --name Attacked --json > attacked.json
  pnpm --silent findersfee processor connect generic --org <organization id>
  pnpm attack --url http://127.0.0.1:3000 --keys attacked.json

  --url   the service's address; only loopback addresses are accepted
  --keys  the organization's keys, as \`org create --json\` prints them. The attacks create campaigns,
          affiliates and referrals in it, so use an organization that you can throw away
  --only  the attacks to run, such as S1,S4
`;

export interface Options {
  url: string;
  api_key: string;
  publishable_key: string;
  organization_id: string;
  /** Empty for all attacks. */
  only: string[];
}

/** Parses the command line. Throws an error that describes the problem. */
export async function readOptions(): Promise<Options> {
  const { values } = parseArgs({
    options: { url: { type: "string" }, keys: { type: "string" }, only: { type: "string" } },
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
    only: values.only?.split(",").map((id) => id.trim()) ?? [],
  };
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

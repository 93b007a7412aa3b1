import { writeFile } from "node:fs/promises";
import { type Account, account } from "./account.ts";
import { DatabaseTier } from "./database-tier.ts";
import type { Failure, Installation } from "./failures.ts";
import type { Setup } from "./files.ts";
import { Load } from "./load.ts";
import { createNetwork } from "./machine.ts";
import { Receiver } from "./receiver.ts";
import { ServiceTier } from "./service-tier.ts";
import { missedTargets } from "./targets.ts";
import { pass } from "./wait.ts";

const LOAD_BEFORE_MILLISECONDS = 4_000;
const LOAD_AFTER_MILLISECONDS = 4_000;

export interface DrillOptions {
  setup: Setup;
  root: string;
  logs: string;
  program: string;
  api: "etcd" | "etcd3";
  per_second: number;
}

export interface Result extends Account {
  failure: string;
  gap_seconds: number;
  errors: ReadonlyMap<string, number>;
  /** Each way in which the target was missed. */
  missed: string[];
}

/** An installation as `deploy/ha` has it, with a program that gets load. */
export class Drill {
  private readonly installation: Installation;
  private readonly receiver: Receiver;
  private readonly load: { api_key: string; referral_id: string; per_second: number };

  private constructor(
    installation: Installation,
    receiver: Receiver,
    load: { api_key: string; referral_id: string; per_second: number },
  ) {
    this.installation = installation;
    this.receiver = receiver;
    this.load = load;
  }

  static async start(options: DrillOptions): Promise<Drill> {
    await createNetwork();
    const database = await DatabaseTier.start(options);
    const service = await ServiceTier.start(options);
    const receiver = await Receiver.start();
    const created = await service.first.command("org", "create", "--name", "Drill", "--json");
    const { organization_id, api_key } = JSON.parse(created);
    await service.first.command(
      "endpoint",
      "create",
      "--org",
      organization_id,
      "--url",
      receiver.url,
      "--json",
    );
    const post = poster(service.url, api_key);
    await post("campaigns", {
      name: "Partner program",
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com",
      is_default: true,
    });
    const affiliate = await post("affiliates", { email: "jane@example.com", first_name: "Jane" });
    const referral = await post("referrals", { affiliate_id: affiliate.id, email: "c@example.com" });
    return new Drill({ database, service }, receiver, {
      api_key,
      referral_id: referral.id,
      per_second: options.per_second,
    });
  }

  /** Lets a failure happen under load, waits until everything is calm again, and counts. */
  async run(failure: Failure): Promise<Result> {
    const { database, service } = this.installation;
    const load = new Load({ url: service.url, ...this.load });
    await pass(LOAD_BEFORE_MILLISECONDS);
    await failure.happen(this.installation);
    await database.calm();
    await service.calm();
    await pass(LOAD_AFTER_MILLISECONDS);
    await load.end();
    const counted = await account(await database.url(), load, this.receiver);
    // A shard that is lost after a while counts, too: most have no work in the drill.
    await service.calm();
    const result = { ...counted, failure: failure.name, gap_seconds: load.longestGap(), errors: load.errors };
    return { ...result, missed: [...missedTargets(failure, result), ...(await this.verify())] };
  }

  /** The findings of the service's own checks. */
  private async verify(): Promise<string[]> {
    const found: string[] = [];
    for (const what of ["ledger", "deliveries", "totals"])
      await this.installation.service.first
        .command("verify", what)
        .catch((error: unknown) => found.push(String(error)));
    return found;
  }
}

function poster(url: string, api_key: string) {
  return async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return JSON.parse(text).data;
  };
}

/** Writes results as JSON. */
export async function writeResults(file: string, results: readonly Result[]): Promise<void> {
  const rows = results.map((result) => ({ ...result, errors: Object.fromEntries(result.errors) }));
  await writeFile(file, `${JSON.stringify(rows, null, 2)}\n`);
}

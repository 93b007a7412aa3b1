import type { Config } from "../config.ts";
import { printJson, printLine } from "../print.ts";
import { makeOrganization } from "./organization.ts";
import { pay } from "./payments.ts";
import { Poller } from "./poller.ts";
import { Receiver } from "./receiver.ts";
import { receiveWebhooks, repeat, showBalance } from "./results.ts";
import { requireService, Service } from "./service.ts";
import { setUp } from "./set-up.ts";
import type { Stage } from "./stage.ts";
import { Steps } from "./steps.ts";

const STEPS = 14;

interface Options {
  base_url: string;
  timeout_seconds: number;
  json: boolean;
  signal: AbortSignal;
}

/**
 * Demonstrates on a running service how referrals and commissions are created, and checks each amount.
 *
 * @throws Error when a result is missing or differs
 */
export async function demonstrate(config: Config, options: Options): Promise<void> {
  const { base_url, signal } = options;
  try {
    await requireService(base_url, signal);
    const organization = await makeOrganization(config);
    await play(new Service(base_url, organization, signal), options);
  } catch (error) {
    throw signal.aborted ? new Error("The demo was interrupted.", { cause: error }) : error;
  }
}

async function play(service: Service, { timeout_seconds, json, signal }: Options): Promise<void> {
  const started_at = performance.now();
  const { organization_id, api_key } = service.organization;
  if (!json) {
    printLine(`The organization ${organization_id}, at ${service.base_url}`);
    printLine();
  }
  const stage: Stage = {
    service,
    receiver: await Receiver.listen(),
    poller: new Poller(timeout_seconds, signal),
    steps: new Steps(STEPS, { json }),
  };
  try {
    const participants = await setUp(stage);
    const sent_events = await pay(stage, participants);
    await repeat(stage, { sent_events, participants });
    await receiveWebhooks(stage);
    await showBalance(stage, participants);
  } catch (error) {
    // biome-ignore lint/plugin/swallowed-failure: the first failure is reported
    await clear(stage).catch(() => {});
    throw error;
  }
  await clear(stage);
  const seconds = Math.round((performance.now() - started_at) / 100) / 10;
  if (json) printJson({ as_expected: true, organization_id, api_key, seconds }, { indented: false });
  else for (const line of lastLines(service, seconds)) printLine(line);
}

/** Later events, sent manually, would have no receiver. */
async function clear({ service, receiver }: Stage): Promise<void> {
  try {
    if (receiver.endpoint_id !== null) await service.dashboard.deleteEndpoint(receiver.endpoint_id);
  } finally {
    await receiver.close();
  }
}

function lastLines({ base_url, organization }: Service, seconds: number): string[] {
  return [
    "",
    `All results are as expected, after ${seconds} s. To look around:`,
    `  findersfee processor messages --org ${organization.organization_id}`,
    `  curl ${base_url}/v1/commissions -H "Authorization: Bearer ${organization.api_key}"`,
  ];
}

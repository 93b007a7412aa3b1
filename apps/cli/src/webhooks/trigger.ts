import { idInput } from "@findersfee/contract/fields";
import { eventExample } from "@findersfee/contract/webhooks/event-example";
import { type EventType, eventTypes } from "@findersfee/contract/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { testEndpoint } from "@findersfee/domain/webhooks/deliveries/send-test";
import type { Command } from "commander";
import type { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig, readDeveloperConfig } from "../config.ts";
import { withEndpointOwner } from "../operator-context.ts";
import { eventTypeInput, jsonOption, readArgument, readOptions, UsageError, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { listenForShutdown } from "../service/shutdown.ts";
import { Forwarder } from "./listen/forwarder.ts";
import { jsonPrinter, linePrinter } from "./listen/printer.ts";
import { receiverOptions, receiverSecret, withReceiver } from "./listen/receiver-options.ts";
import { sendOnce } from "./listen/send-once.ts";

const shape = { ...jsonOption, ...receiverOptions, endpoint: idInput.optional() };

type Options = z.output<z.ZodObject<typeof shape>>;

export function addTrigger(program: Command): void {
  const command = withReceiver(
    program
      .command("trigger")
      .description("send a signed event with example data to a receiver or an endpoint")
      .argument("<type>", eventTypes.join(", ")),
  )
    .option("--endpoint <id>", "the id of an endpoint in this service's database")
    .addHelpText(
      "after",
      `
The event is not recorded, and the events feed does not show it.

Examples:
  findersfee trigger commission.created --forward-to http://localhost:4242/webhooks
  findersfee trigger affiliate.approved --endpoint 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`,
    );
  withJson(command).action(async (rawType: unknown, raw: unknown) => {
    const type = readArgument("<type>", eventTypeInput, rawType);
    const options = readOptions(shape, raw);
    const { forwardTo, endpoint } = options;
    if (forwardTo !== undefined && endpoint === undefined) await toReceiver(type, forwardTo, options);
    else if (endpoint !== undefined && forwardTo === undefined) await toEndpoint(type, endpoint, options);
    else throw new UsageError("Pass either --forward-to or --endpoint.");
  });
}

async function toReceiver(type: EventType, url: string, options: Options): Promise<void> {
  const { secret } = await receiverSecret(options, readDeveloperConfig());
  const at = new Date();
  const event = { id: newId(at), type, created_at: at.toISOString(), data: eventExample(type) };
  const forwarder = await Forwarder.open({ url, secret }, listenForShutdown());
  try {
    await sendOnce(event, { forwarder, printer: options.json ? jsonPrinter : linePrinter });
  } finally {
    await forwarder.close();
  }
}

async function toEndpoint(type: EventType, id: string, { json }: Options): Promise<void> {
  const delivery = await withDatabase(readConfig(), (database) =>
    withEndpointOwner(database, id, (context) => testEndpoint(context, { id, type })),
  );
  printOne(delivery, { json });
}

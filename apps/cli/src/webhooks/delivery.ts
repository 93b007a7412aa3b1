import { idInput } from "@findersfee/contract/fields";
import { deliveryStates } from "@findersfee/contract/webhooks/deliveries";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import { getDelivery } from "@findersfee/domain/webhooks/deliveries/get";
import { listDeliveries } from "@findersfee/domain/webhooks/deliveries/list";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withEndpointOwner } from "../operator-context.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine, printList, printOne } from "../print.ts";

const MOST = 100;

const ENDPOINT = ["--endpoint <id>", "the endpoint's id"] as const;
const EVENT = ["--event <id>", "the event's id, the webhook-id of its deliveries"] as const;

export function addDelivery(program: Command): void {
  const delivery = program.command("delivery").description("deliveries of events to endpoints");
  addList(delivery);
  addShow(delivery);
  addRetry(delivery);
}

function addList(delivery: Command): void {
  const command = delivery
    .command("list")
    .description(`list an endpoint's last ${MOST} deliveries, newest event first`)
    .requiredOption(...ENDPOINT)
    .option("--state <state>", `only deliveries in this state: ${deliveryStates.join(", ")}`)
    .option("--type <type>", "only deliveries of events of this type");
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      endpoint: idInput,
      state: z.enum(deliveryStates).optional(),
      type: z.enum(eventTypes).optional(),
    };
    const { json, endpoint: endpoint_id, state, type } = readOptions(shape, raw);
    const states = state === undefined ? undefined : [state];
    const { data } = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) =>
        listDeliveries(context, { endpoint_id, limit: MOST, states, type }),
      ),
    );
    printList(
      data.map(({ endpoint_id: _, ...item }) => item),
      { json, none: "No deliveries match." },
    );
  });
}

function addShow(delivery: Command): void {
  const command = delivery
    .command("show")
    .description("show a delivery with its attempts")
    .requiredOption(...ENDPOINT)
    .requiredOption(...EVENT);
  withJson(command).action(async (raw: unknown) => {
    const shape = { ...jsonOption, endpoint: idInput, event: idInput };
    const { json, endpoint: endpoint_id, event: event_id } = readOptions(shape, raw);
    const { attempt_log, body, ...shown } = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) => getDelivery(context, { endpoint_id, event_id })),
    );
    if (json) {
      printJson({ ...shown, attempt_log, body });
      return;
    }
    printOne(shown, { json });
    printLine();
    printList(attempt_log, { json, none: "No attempts recorded." });
  });
}

function addRetry(delivery: Command): void {
  const command = delivery
    .command("retry")
    .description("send an event to an endpoint now, regardless of earlier attempts and of a failing endpoint")
    .requiredOption(...ENDPOINT)
    .requiredOption(...EVENT);
  withJson(command).action(async (raw: unknown) => {
    const shape = { ...jsonOption, endpoint: idInput, event: idInput };
    const { json, endpoint: endpoint_id, event: event_id } = readOptions(shape, raw);
    const retried = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) =>
        retryDelivery(context, { endpoint_id, event_id }),
      ),
    );
    printOne(retried, { json });
  });
}

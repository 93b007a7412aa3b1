import { idInput } from "@findersfee/contract/fields";
import {
  messageIdInput,
  messageStates,
  type ProcessorName,
  processorNames,
} from "@findersfee/contract/processors/processors";
import type { Context } from "@findersfee/domain/context";
import { listProcessorMessages } from "@findersfee/domain/processors/messages/list";
import {
  rerunDeadLetteredMessages,
  rerunProcessorMessage,
} from "@findersfee/domain/processors/messages/rerun";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readArgument, readOptions, UsageError, withJson } from "../options.ts";
import { printList, printOne } from "../print.ts";

const MOST = 100;
const ORG = ["--org <id>", "the organization"] as const;
const nameInput = z.enum(processorNames, { error: `Must be ${processorNames.join(" or ")}.` });

/** Adds `processor messages`. */
export function addMessages(processor: Command): void {
  const command = processor
    .command("messages")
    .description(`list the last ${MOST} inbound webhooks of an organization, newest first`)
    .requiredOption(...ORG)
    .option("--state <state>", `only messages in this state: ${messageStates.join(", ")}`)
    .option("--type <type>", "only messages of this type, as in invoice.paid");
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      org: idInput,
      state: z.enum(messageStates).optional(),
      type: z.string().optional(),
    };
    const { json, org, ...filter } = readOptions(shape, raw);
    const { data } = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, (context) =>
        listProcessorMessages(context, { limit: MOST, ...filter }),
      ),
    );
    printList(
      data.map((item) => ({ ...item })),
      { json, none: "No messages match." },
    );
  });
}

/** Adds `processor rerun`. */
export function addRerun(processor: Command): void {
  const command = processor
    .command("rerun")
    .description("process a message again, or all dead-lettered (parked) ones")
    .argument("[id]", "the processor's id of the message")
    .requiredOption(...ORG)
    .option("--processor <name>", "the message's payment processor", "stripe")
    .option("--all-parked", "all dead-lettered (parked) messages", false);
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const shape = { ...jsonOption, org: idInput, processor: nameInput, allParked: z.boolean() };
    const { json, org, processor: name, allParked } = readOptions(shape, raw);
    if (allParked === (rawId !== undefined)) {
      throw new UsageError("Pass a message's id or --all-parked.");
    }
    const rerun = (context: Context) => rerunOf(context, { name, allParked, rawId });
    printOne(await withDatabase(readConfig(), (database) => withOrganization(database, org, rerun)), {
      json,
    });
  });
}

async function rerunOf(
  context: Context,
  { name, allParked, rawId }: { name: ProcessorName; allParked: boolean; rawId: unknown },
) {
  if (allParked) return { ...(await rerunDeadLetteredMessages(context, {})) };
  const id = readArgument("[id]", messageIdInput, rawId);
  return { ...(await rerunProcessorMessage(context, { processor: name, id })) };
}

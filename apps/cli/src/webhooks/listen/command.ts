import { idInput } from "@findersfee/contract/fields";
import type { Command } from "commander";
import { z } from "zod";
import { type DeveloperConfig, readDeveloperConfig } from "../../config.ts";
import { commaList, eventTypeInput, jsonOption, readOptions, UsageError, withJson } from "../../options.ts";
import { printNotice } from "../../print.ts";
import { listenForShutdown } from "../../service/shutdown.ts";
import { LOCAL_SERVICE, SERVICE_ADDRESS, serviceAddress } from "./addresses.ts";
import { Feed } from "./feed.ts";
import { Forwarder } from "./forwarder.ts";
import { Listener } from "./listener.ts";
import { PositionFile } from "./position.ts";
import { jsonPrinter, linePrinter } from "./printer.ts";
import { receiverOptions, receiverSecret, requireApiKey, withReceiver } from "./receiver-options.ts";
import { sendOnce } from "./send-once.ts";
import { sinceInput } from "./since.ts";
import { stateFolder } from "./state-folder.ts";

const shape = {
  ...jsonOption,
  ...receiverOptions,
  baseUrl: serviceAddress(`Must be ${SERVICE_ADDRESS}.`).optional(),
  since: sinceInput.optional(),
  replay: idInput.optional(),
  types: commaList.pipe(z.array(eventTypeInput)).optional(),
};

type Options = z.output<z.ZodObject<typeof shape>>;

export function addListen(program: Command): void {
  const command = withReceiver(
    program.command("listen").description("print events as they occur, and forward them to a local receiver"),
  )
    .option("--base-url <url>", "the service's address (FINDERSFEE_URL); default: this machine")
    .option("--since <from>", "start after an event's id, at a time, at an age such as 15m, or now")
    .option("--replay <event id>", "forward only this event, once")
    .option("--types <list>", "only events of these types")
    .addHelpText(
      "after",
      `
Reads the events feed of a local or remote service; it needs only an API key. The first run starts with
new events, later runs continue where the last one stopped. Events are signed and sent like deliveries, to
any address, including this machine. An unreachable receiver is retried for 15 seconds; then the event is
skipped, and so are later ones until the receiver responds. Use --since or --replay to resend them.

Examples:
  findersfee listen --forward-to http://localhost:4242/webhooks
  findersfee listen --types commission.created --since 2h --json
  findersfee listen --forward-to http://localhost:4242/webhooks --replay 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`,
    );
  withJson(command).action((raw: unknown) => listen(readOptions(shape, raw), readDeveloperConfig()));
}

async function listen(options: Options, config: DeveloperConfig): Promise<void> {
  checkReplay(options);
  const api_key = requireApiKey(options.apiKey, config);
  const base_url = options.baseUrl ?? config.FINDERSFEE_URL ?? LOCAL_SERVICE;
  const signal = AbortSignal.any([listenForShutdown(), whenNobodyReads()]);
  const feed = new Feed({ base_url, api_key }, signal);
  const forwarder = await openForwarder(options, { config, signal });
  const printer = options.json ? jsonPrinter : linePrinter;
  try {
    if (options.replay !== undefined && forwarder !== null) {
      await sendOnce(await feed.get(options.replay), { forwarder, printer });
      return;
    }
    const position_file = new PositionFile(stateFolder(config), { base_url, api_key });
    const types = options.types ?? null;
    const listener = new Listener({ feed, position_file, forwarder, printer, types, signal });
    await listener.listen(options.since ?? null);
  } catch (error) {
    if (!signal.aborted || !isAbort(error)) throw error;
    printNotice("Stopped; the next run continues from here.");
  } finally {
    await forwarder?.close();
  }
}

function checkReplay({ replay, forwardTo, since, types }: Options): void {
  if (replay === undefined) return;
  if (forwardTo === undefined)
    throw new UsageError("--replay: Requires --forward-to, the receiver's address.");
  if (since !== undefined || types !== undefined) {
    throw new UsageError("--replay: Cannot be combined with --since or --types.");
  }
}

async function openForwarder(
  options: Options,
  { config, signal }: { config: DeveloperConfig; signal: AbortSignal },
): Promise<Forwarder | null> {
  const { forwardTo: url } = options;
  if (url === undefined) return null;
  const { secret, is_given } = await receiverSecret(options, config);
  printNotice(`Forwarding to ${url}`);
  // The default secret is printed; a custom one is not, since others may see the screen.
  printNotice(is_given ? "Signing with the secret from --secret." : `Signing secret: ${secret}`);
  return await Forwarder.open({ url, secret }, signal);
}

/** Aborted when standard output is closed, as by `head`. */
function whenNobodyReads(): AbortSignal {
  const controller = new AbortController();
  process.stdout.once("error", () => controller.abort());
  return controller.signal;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

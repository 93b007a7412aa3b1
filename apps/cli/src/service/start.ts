import { join } from "node:path";
import { startEmbedded } from "@findersfee/database/embedded/embedded";
import { linkTo } from "@findersfee/domain/identity/accounts/links";
import { makeFirstSetupLink, type SetupLink } from "@findersfee/domain/identity/setup/links";
import type { CreatedOrganization } from "@findersfee/domain/organizations/create";
import type { Command } from "commander";
import { type Config, endpointUrlRelaxations, readConfig, requireSecretsKey } from "../config.ts";
import { printLine } from "../print.ts";
import { openSecretsKey } from "../secrets/read.ts";
import { applyMigrations } from "./apply-migrations.ts";
import { awaitHistory, openContinuity } from "./continuity.ts";
import { createDemoOrganization } from "./demo-organization.ts";
import { createOwnMails } from "./own-mails.ts";
import { openReplicas } from "./replicas.ts";
import { openPool, serveApi } from "./serve.ts";
import { serveWorker } from "./serve-worker.ts";
import { listenForShutdown, Opened, whenAborted } from "./shutdown.ts";
import { createProcessMetrics, openTracing } from "./telemetry.ts";
import { isTrial } from "./trial.ts";

export function addStart(program: Command): void {
  program
    .command("start")
    .description("run the whole service: database, migrations, API, worker")
    .addHelpText(
      "after",
      `
Without DATABASE_URL it runs an embedded Postgres in DATA_DIR (.findersfee), and the first start creates a demo
organization and prints its key once, unless HOST allows other machines to connect.
Ctrl-C stops everything. Your data is kept.

Examples:
  findersfee start
  PORT=8080 DATA_DIR=/var/lib/findersfee findersfee start
  DATABASE_URL=postgres://… SECRETS_KEY=… findersfee start`,
    )
    .action(() => start(readConfig()));
}

/** Runs until it is asked to stop, or until its Postgres exits. */
async function start(config: Config): Promise<void> {
  requireSecretsKey(config);
  const shutdown = listenForShutdown();
  const opened = new Opened();
  try {
    await openTracing(config, "findersfee", opened);
    const { url, ended } = await openDatabase(config, opened);
    if (shutdown.aborted) return;
    const observer = await createProcessMetrics();
    const database = await openPool(config, { url, role: "api", opened, observer });
    await applyMigrations(config, url);
    const worker_database = await openPool(config, { url, role: "worker", opened, observer });
    const pools = [
      { database, role: "api" },
      { database: worker_database, role: "worker" },
    ] as const;
    const continuity = await openContinuity(config, { pools, opened, observer });
    const place = { host: config.HOST, port: config.PORT, variable: "PORT" } as const;
    await awaitHistory(continuity, { shutdown, place });
    if (shutdown.aborted) return;
    const secrets_key = await openSecretsKey(config, database);
    const own = createOwnMails(config);
    const registries = [observer.registry];
    await serveWorker(config, {
      database: worker_database,
      replicas: openReplicas(config, { url, role: "worker", opened, observer }),
      secrets_key,
      url,
      opened,
      continuity,
      registries,
      ...(own === undefined ? {} : { own }),
    });
    if (shutdown.aborted) return;
    const { url: api_url, drain } = await serveApi(config, {
      database,
      replicas: openReplicas(config, { url, role: "api", opened, observer }),
      secrets_key,
      opened,
      registries,
      mailbox: own?.mailbox,
    });
    if (own !== undefined) own.url = api_url;
    // Only once the service runs: a failed start would lose the key and the link before they are shown.
    const demo = await createDemoOrganization(config, database);
    announce(config, { api_url, demo, setup_link: await makeFirstSetupLink(database, { again: true }) });
    await Promise.race([whenAborted(shutdown), ended]);
    await drain();
  } finally {
    await opened.close();
  }
}

/** The database to serve; `ended` rejects when the embedded Postgres exits. */
async function openDatabase(config: Config, opened: Opened): Promise<{ url: string; ended: Promise<never> }> {
  if (config.DATABASE_URL !== null) return { url: config.DATABASE_URL, ended: new Promise(() => {}) };
  const embedded = await startEmbedded({ data_dir: config.DATA_DIR });
  opened.add(embedded.stop);
  const ended = embedded.ended.then(() => {
    throw new Error(`The embedded Postgres has exited; see ${join(config.DATA_DIR, "postgres.log")}.`);
  });
  // biome-ignore lint/plugin/swallowed-failure: the caller awaits it later; until then, Node would end the process for it
  ended.catch(() => {});
  return { url: embedded.url, ended };
}

function announce(
  config: Config,
  {
    api_url,
    demo,
    setup_link,
  }: { api_url: string; demo: CreatedOrganization | null; setup_link: SetupLink | null },
): void {
  const lines = [
    "Findersfee is running. Press Ctrl-C to stop it. Your data is kept.",
    "",
    `  Dashboard  ${api_url}`,
    `  API        ${api_url}/v1`,
    `  tRPC       ${api_url}/v1/trpc`,
    `  Reference  ${api_url}/docs`,
  ];
  if (setup_link !== null) lines.push(`  Set up     ${linkTo(api_url, "setup", setup_link.token)}`);
  if (demo !== null) lines.push(`  Demo key   ${demo.api_key}`);
  if (config.DATABASE_URL === null) {
    lines.push(`  Data       ${config.DATA_DIR} (embedded Postgres)`);
  }
  if (config.SMTP_URL === null) lines.push(...mailHelp(config));
  const { allow_http, allow_private } = endpointUrlRelaxations(config);
  if (allow_http || allow_private) {
    const allowed = [allow_http ? "http" : "", allow_private ? "private addresses" : ""].filter(Boolean);
    lines.push("", `Webhook endpoints can use ${allowed.join(" and ")}, for development only.`);
  }
  for (const line of [...lines, "", ...keyHelp(demo), ""]) printLine(line);
}

/** How the service handles mails without a mail server. */
function mailHelp(config: Config): string[] {
  return isTrial(config)
    ? ["", "No mail server is set (SMTP_URL): emails are shown here and in the dashboard, under Health."]
    : ["", "No mail server is set: emails are not sent. Set SMTP_URL, MAIL_FROM and PUBLIC_URL."];
}

function keyHelp(demo: CreatedOrganization | null): string[] {
  const create = (id: string) => `  findersfee key create --org ${id} --scopes read,write`;
  if (demo !== null) {
    return ["The demo key is not shown again. To create another:", create(demo.organization_id)];
  }
  return [
    "To create an API key, list the organizations or create one with its first keys:",
    "  findersfee org list",
    '  findersfee org create --name "Acme"',
    create("<organization id>"),
  ];
}

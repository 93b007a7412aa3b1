import { Readable } from "node:stream";
import { importAffiliatesInput } from "@findersfee/contract/affiliates/import";
import {
  exportPayoutsInput,
  type ImportedResults,
  importResultsInput,
} from "@findersfee/contract/payouts/files";
import { exportPerformanceInput } from "@findersfee/contract/reports/performance";
import { jobIdInput } from "@findersfee/contract/work";
import { importAffiliates } from "@findersfee/domain/affiliates/import/start";
import type { Right } from "@findersfee/domain/identity/rights/right";
import { exportPayouts } from "@findersfee/domain/payouts/files/export";
import { importResults } from "@findersfee/domain/payouts/files/import";
import { exportPerformance } from "@findersfee/domain/reports/performance/export";
import { type JobFile, readJobFile } from "@findersfee/domain/work/jobs/file";
import type { FastifyInstance, FastifyReply } from "fastify";
import { routedContext, type Services } from "../context.ts";
import { readRouted } from "../replicas/route-reads.ts";
import { requireRight } from "../rights.ts";
import { acceptFiles, FILE_BYTES, fileOf } from "./file-body.ts";
import { contextOf, principalOf, readQuery } from "./request.ts";

/** Each may take minutes, and an organization never needs more at once. */
export const FILES_IN_FLIGHT = 20;
export const FILES_PER_ORGANIZATION = 5;
/** The stall timeout of the connection, which must cover processing a whole file. */
const WRITING_MILLISECONDS = 10 * 60_000;

/** 10,000 lines with long details. */
const IMPORT_BYTES = 16 * 1024 * 1024;

const READ: Right = { scope: "view", role: "viewer" };
/** A person who downloads a payout file pays from it. Programs also read it for bookkeeping. */
const PAY: Right = { scope: "view", role: "admin" };
/** Starts jobs, and reads their files: everything that the dashboard exports. */
const CHANGE: Right = { scope: "admin", role: "admin" };

/**
 * Streams the files of payout runs, `GET /payout-runs/{id}/export` and `POST /payout-runs/{id}/results`, those of jobs,
 * `GET /jobs/{id}/file`, the table of performance, `GET /performance.csv`, and files to import, `POST /affiliates/import`.
 */
export function mountFiles(app: FastifyInstance, services: Services): void {
  app.addHook("onRequest", async (request) =>
    requireRight(principalOf(request), request.method === "GET" ? READ : CHANGE),
  );
  acceptFiles(app);
  // A HEAD request would generate the whole file.
  app.get("/payout-runs/:id/export", { exposeHeadRoute: false }, async (request, reply) => {
    requireRight(principalOf(request), PAY);
    const input = readQuery(exportPayoutsInput, request);
    return sendFile(reply, await exportPayouts(contextOf(request, services, PAY), input));
  });
  mountImport(app, services);
  app.get("/performance.csv", { exposeHeadRoute: false }, async (request, reply) => {
    const input = readQuery(exportPerformanceInput, request);
    const context = contextOf(request, services, READ);
    const content = await readRouted(routedContext(request, services), (database) =>
      exportPerformance({ ...context, database }, input),
    );
    return sendFile(reply, { name: "performance.csv", content: [content] });
  });
  app.get("/jobs/:id/file", { exposeHeadRoute: false }, async (request, reply) => {
    requireRight(principalOf(request), CHANGE);
    const { id } = readQuery(jobIdInput, request);
    return sendFile(reply, await readJobFile(contextOf(request, services, CHANGE), id));
  });
  app.post("/payout-runs/:id/results", { bodyLimit: FILE_BYTES }, async (request) => {
    const input = readQuery(importResultsInput, request);
    request.raw.setTimeout(WRITING_MILLISECONDS);
    const file = fileOf(request, FILE_BYTES);
    const data: ImportedResults = await importResults(contextOf(request, services, CHANGE), input, file);
    return { success: true, data };
  });
}

/** `POST /affiliates/import`: starts a job that creates the affiliates of a file. */
function mountImport(app: FastifyInstance, services: Services): void {
  app.post("/affiliates/import", { bodyLimit: IMPORT_BYTES }, async (request) => {
    const input = readQuery(importAffiliatesInput, request);
    const file = fileOf(request, IMPORT_BYTES);
    return { success: true, data: await importAffiliates(contextOf(request, services, CHANGE), input, file) };
  });
}

function sendFile(
  reply: FastifyReply,
  { name, content }: Pick<JobFile, "name"> & { content: JobFile["content"] | string[] },
): FastifyReply {
  reply.header("content-type", "text/csv; charset=utf-8");
  reply.header("content-disposition", `attachment; filename="${name}"`);
  reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
  return reply.send(Readable.from(content, { objectMode: false }));
}

import { Readable } from "node:stream";
import {
  exportPayoutsInput,
  type ImportedResults,
  importResultsInput,
} from "@findersfee/contract/payout-files";
import type { Context } from "@findersfee/domain/context";
import { DomainError, invalidField } from "@findersfee/domain/errors";
import { exportPayouts } from "@findersfee/domain/payout-files/export";
import { importResults } from "@findersfee/domain/payout-files/import";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Services } from "../context.ts";
import { issuesOf } from "../issues.ts";
import { requireStaff } from "../require-staff.ts";
import { acceptFiles, FILE_BYTES, fileOf } from "./file-body.ts";

/** Each may take minutes, and staff never needs more at once. */
export const FILES_IN_FLIGHT = 20;
export const FILES_PER_ORGANIZATION = 5;
/** The stall timeout of the connection, which must cover processing a whole file. */
const WRITING_MILLISECONDS = 10 * 60_000;

/**
 * Streams the files of payout runs: `GET /payout-runs/{id}/export` and `POST /payout-runs/{id}/results`, for
 * the organization's staff.
 */
export function mountPayoutFiles(app: FastifyInstance, services: Services): void {
  app.addHook("onRequest", async ({ principal }) => requireStaff(principal));
  acceptFiles(app);
  // A HEAD request would generate the whole file.
  app.get("/payout-runs/:id/export", { exposeHeadRoute: false }, async (request, reply) => {
    const input = read(exportPayoutsInput, request);
    const { name, content } = await exportPayouts(contextOf(request, services), input);
    reply.header("content-type", "text/csv; charset=utf-8");
    reply.header("content-disposition", `attachment; filename="${name}"`);
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    return reply.send(Readable.from(content, { objectMode: false }));
  });
  app.post("/payout-runs/:id/results", { bodyLimit: FILE_BYTES }, async (request) => {
    const input = read(importResultsInput, request);
    request.raw.setTimeout(WRITING_MILLISECONDS);
    const file = fileOf(request, FILE_BYTES);
    const data: ImportedResults = await importResults(contextOf(request, services), input, file);
    return { success: true, data };
  });
}

function read<Schema extends z.ZodType>(schema: Schema, { query, params }: FastifyRequest): z.output<Schema> {
  // The path identifies the run; a second id in the query would have to be ignored.
  if (Object.hasOwn(query as object, "id")) throw invalidField("id", "Unknown query parameter.");
  const result = schema.safeParse({ ...(query as object), ...(params as object) });
  if (result.success) return result.data;
  throw new DomainError("invalid_request", { issues: issuesOf(result.error) });
}

function contextOf({ principal, url }: FastifyRequest, { database, notifyWorkers }: Services): Context {
  if (principal === null) throw new Error(`route ${url} is not behind authorize`);
  const { organization, key_id } = principal;
  return { database, organization, actor: `key ${key_id}`, idempotency: null, notifyWorkers };
}

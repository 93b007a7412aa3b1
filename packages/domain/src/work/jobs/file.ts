import type { Database } from "@findersfee/database/postgres/connect";
import { findJobPart } from "@findersfee/database/work/job-files";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { isJobKind, JOB_KINDS } from "../../job-kinds.ts";
import { inTransaction } from "../../transaction.ts";
import { requireJob } from "./get.ts";
import type { JobKind } from "./kind.ts";

export interface JobFile {
  /** The suggested file name: letters, digits, points and dashes. */
  name: string;
  /** Read on demand; no connection is held between two parts. */
  content: AsyncGenerator<string>;
}

/**
 * The result file of a job that has ended. The audit log records who downloaded it. Errors: `not_found` also when it has none, or
 * none any more; `forbidden_role` and `insufficient_scope` for a file of owners.
 */
export async function readJobFile(context: Context, id: string): Promise<JobFile> {
  const { database, organization } = context;
  const file = await inTransaction(await readerOf(context, id), async (sql) => {
    const { file } = await requireJob(sql, context, id);
    if (file === null) {
      throw new DomainError("not_found", {
        message: "The job has no file: it wrote none, or it was deleted.",
      });
    }
    const download = {
      resource: "job",
      id,
      action: "downloaded",
      before: {},
      after: { file: file.name },
    } as const;
    await writeAuditEntry(sql, context, download);
    return file;
  });
  return { name: file.name, content: contentOf(database, organization.id, id) };
}

/** The sender with the right that the file needs: some files have data that only owners read. */
async function readerOf(context: Context, id: string): Promise<Context> {
  const { kind: name } = await requireJob(context.database, context, id);
  const kind: JobKind<object> | null = isJobKind(name) ? JOB_KINDS[name] : null;
  if (kind?.file_role === undefined) return context;
  if (context.actor.kind === "key") throw new DomainError("insufficient_scope");
  return { ...context, right: { scope: null, role: kind.file_role } };
}

async function* contentOf(database: Database, organization_id: string, id: string): AsyncGenerator<string> {
  for (let part = 1; ; part++) {
    const content = await findJobPart(database, organization_id, { id, file: "result", part });
    if (content === null) return;
    yield content;
  }
}

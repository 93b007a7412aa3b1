import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

type File = "input" | "result";

/** Writes the input of a job, in parts from 1. */
export async function insertJobInput(
  sql: Connection,
  organizationId: string,
  { id, parts }: { id: string; parts: readonly string[] },
): Promise<void> {
  await sql`
    insert into job_files (organization_id, job_id, file, part, content)
    select ${organizationId}, ${id}, 'input', number, content
    from unnest(${[...parts]}::text[]) with ordinality as given (content, number)`;
}

const FIND_PART = statement<{ content: string }, "organization_id" | "id" | "file" | "part">(`
  select content from job_files
  where organization_id = :organization_id::uuid and job_id = :id::uuid and file = :file::text and part = :part::int`);

/** Returns one part of a job's file; null behind the last one. */
export async function findJobPart(
  sql: Connection,
  organizationId: string,
  part: { id: string; file: File; part: number },
): Promise<string | null> {
  const [row] = await FIND_PART.run(sql, { organization_id: organizationId, ...part });
  return row?.content ?? null;
}

const DELETE_INPUT = statement<object, "organization_id" | "id">(`
  delete from job_files
  where organization_id = :organization_id::uuid and job_id = :id::uuid and file = 'input'`);

/** Deletes the input of a job, which nothing reads once it has ended. */
export async function deleteJobInput(sql: Connection, organizationId: string, id: string): Promise<void> {
  await DELETE_INPUT.run(sql, { organization_id: organizationId, id });
}

const DELETE_SURPLUS = statement<object, "organization_id" | "most">(`
  with surplus as (
    select id from jobs
    where organization_id = :organization_id::uuid and files_deleted_at is null and finished_at is not null
      and file_bytes > 0
    order by finished_at desc offset :most::int
  ),
  deleted as (
    delete from job_files using surplus
    where organization_id = :organization_id::uuid and job_id = surplus.id
  )
  update jobs set files_deleted_at = now() from surplus
  where jobs.organization_id = :organization_id::uuid and jobs.id = surplus.id`);

/** Deletes the files of all finished jobs but the last `most`. */
export async function deleteSurplusJobFiles(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<void> {
  await DELETE_SURPLUS.run(sql, { organization_id: organizationId, most });
}

/** Deletes the files of at most `limit` jobs that finished before a time; returns the number of jobs. */
export async function deleteOldJobFiles(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    with old as (
      select organization_id, id from jobs
      where finished_at < ${before} and files_deleted_at is null
      order by finished_at limit ${limit}
      for update skip locked
    ),
    deleted as (
      delete from job_files using old where job_files.organization_id = old.organization_id and job_id = old.id
    )
    update jobs set files_deleted_at = now() from old
    where jobs.organization_id = old.organization_id and jobs.id = old.id`;
  return result.count;
}

import { jobSchema } from "@findersfee/contract/work";
import { type SignedIn, signIn } from "@findersfee/domain/testing/accounts";
import { runJobs } from "@findersfee/domain/testing/work";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createProgram, type Program, unknownId } from "./program.ts";
import { type StaffClient, sharedTestService, type TestService } from "./test-service.ts";

let service: TestService;
let program: Program;
let staff: StaffClient;

beforeAll(async () => {
  service = await sharedTestService();
  program = await createProgram(service);
  staff = await service.staff(program.organization.organization_id);
});

afterAll(() => service.close());

async function exportAll(): Promise<string> {
  const { id } = await staff.trpc.dashboard.affiliates.export.mutate({});
  const { organization_id } = program.organization;
  await runJobs({ database: service.database, organization: { id: organization_id } });
  return id;
}

/** Requests the file of a job with a session's cookie. */
async function download(id: string, { cookie }: SignedIn, organization_id: string) {
  return await fetch(`${service.url}/dashboard/jobs/${id}/file`, {
    headers: { cookie, "findersfee-organization": organization_id },
  });
}

it("runs a started export, lists it, and sends its file to those who may export, with an entry in the audit log", async () => {
  const id = await exportAll();
  const { data } = await staff.trpc.dashboard.jobs.list.query();
  expect(data.map((job) => jobSchema.parse(job))).toMatchObject([
    {
      id,
      kind: "affiliates_export",
      state: "finished",
      done: 1,
      total: 1,
      started_by: expect.any(String),
      is_own: true,
    },
  ]);
  const colleague = await service.staff(program.organization.organization_id, "admin");
  expect((await colleague.trpc.dashboard.jobs.list.query()).data).toMatchObject([{ id, is_own: false }]);
  const { organization_id } = program.organization;
  const viewer = await signIn(service.database, { organization_id, role: "viewer" });
  expect((await download(id, viewer, organization_id)).status).toBe(403);
  const admin = await signIn(service.database, { organization_id, role: "admin" });
  const response = await download(id, admin, organization_id);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${data[0]?.file?.name}"`);
  const file = Buffer.from(await response.arrayBuffer());
  expect(file.toString()).toContain(
    `${program.affiliate.id},jane@example.com,Jane,Doe,jane-money@example.com,,Partner program`,
  );
  expect(file.byteLength).toBe(data[0]?.file?.bytes);
  const changes = await staff.trpc.dashboard.changes.list.query({ resource: "job", resource_id: id });
  expect(changes.data.filter(({ action }) => action === "downloaded")).toMatchObject([
    { actor: `user ${admin.user_id}`, after: { file: data[0]?.file?.name } },
  ]);
});

it("sends no file to others, and none of a job that has none", async () => {
  const id = await exportAll();
  const other = await service.organization();
  const stranger = await signIn(service.database, { organization_id: other.organization_id, role: "owner" });
  expect((await download(id, stranger, other.organization_id)).status).toBe(404);
  expect((await download(id, stranger, program.organization.organization_id)).status).toBe(403);
  const { organization_id } = program.organization;
  const member = await signIn(service.database, { organization_id, role: "admin" });
  expect((await download(unknownId(), member, organization_id)).status).toBe(404);
  expect((await download("x", member, organization_id)).status).toBe(400);
  await service.database`update jobs set files_deleted_at = now() where id = ${id}`;
  expect((await download(id, member, organization_id)).status).toBe(404);
});

it("cancels a job that runs, once", async () => {
  const { id } = await staff.trpc.dashboard.affiliates.export.mutate({});
  expect(await staff.trpc.dashboard.jobs.cancel.mutate({ id })).toMatchObject({ id, state: "canceled" });
  expect(await staff.trpc.dashboard.jobs.cancel.mutate({ id })).toMatchObject({ id, state: "canceled" });
  const { data } = await staff.trpc.dashboard.changes.list.query({
    resource: "job",
    resource_id: id,
    limit: 10,
  });
  expect(data.map(({ action, after }) => ({ action, after }))).toEqual([
    { action: "updated", after: { state: "canceled" } },
    { action: "created", after: { kind: "affiliates_export" } },
  ]);
});

import { MAX_SAVED_VIEWS } from "@findersfee/contract/identity/saved-views";
import { viewed_lists } from "@findersfee/contract/identity/viewed-lists";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProgram } from "../program.ts";
import { type StaffClient, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let organization_id: string;
let jane: StaffClient;
let joe: StaffClient;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  organization_id = (await service.organization()).organization_id;
  jane = await service.staff(organization_id, "viewer");
  joe = await service.staff(organization_id, "viewer");
});

const viewsOf = ({ trpc }: StaffClient) => trpc.dashboard.saved_views;
const WAITING = { list: "affiliates", name: "Waiting", search: "status=waiting" } as const;
const namesOf = async (staff: StaffClient, list: "affiliates" | "payments" = "affiliates") =>
  (await viewsOf(staff).list.query({ list })).map(({ name }) => name);

describe("views of lists", () => {
  it("are saved by list, renamed and deleted", async () => {
    const view = await viewsOf(jane).create.mutate({ ...WAITING, name: "  Waiting " });
    expect(view).toEqual({ id: view.id, ...WAITING });
    await viewsOf(jane).create.mutate({ ...WAITING, name: "banned", search: "status=banned" });
    await viewsOf(jane).create.mutate({ ...WAITING, list: "payments" });
    expect(await namesOf(jane)).toEqual(["banned", "Waiting"]);
    expect(await namesOf(jane, "payments")).toEqual(["Waiting"]);
    const { id } = view;
    expect(await viewsOf(jane).rename.mutate({ id, name: "All who wait" })).toEqual({
      ...view,
      name: "All who wait",
    });
    expect(await viewsOf(jane).delete.mutate({ id })).toMatchObject({ id });
    expect(await namesOf(jane)).toEqual(["banned"]);
    await expect(viewsOf(jane).delete.mutate({ id })).rejects.toMatchObject({ data: { code: "not_found" } });
  });

  it.each(viewed_lists)("are saved for %s", async (list) => {
    const view = await viewsOf(jane).create.mutate({ ...WAITING, list });
    expect(await viewsOf(jane).list.query({ list })).toEqual([view]);
  });

  it("have different names, in any case, of one person and list", async () => {
    await viewsOf(jane).create.mutate(WAITING);
    const other = await viewsOf(jane).create.mutate({ ...WAITING, name: "Others" });
    const taken = { data: { code: "view_exists" } };
    await expect(viewsOf(jane).create.mutate({ ...WAITING, name: "WAITING" })).rejects.toMatchObject(taken);
    await expect(viewsOf(jane).rename.mutate({ id: other.id, name: "waiting" })).rejects.toMatchObject(taken);
    const both = await Promise.allSettled(
      [1, 2].map(() => viewsOf(joe).create.mutate({ ...WAITING, name: "Twice" })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("are few, and short", async () => {
    const names = Array.from({ length: MAX_SAVED_VIEWS + 2 }, (_, number) => `View ${number}`);
    const all = await Promise.allSettled(
      names.map((name) => viewsOf(jane).create.mutate({ ...WAITING, name })),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_SAVED_VIEWS);
    expect(all.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { data: { code: "quota_exceeded" } },
    });
    const [first] = await viewsOf(jane).list.query({ list: "affiliates" });
    await viewsOf(jane).delete.mutate({ id: first?.id ?? "" });
    await viewsOf(jane).create.mutate({ ...WAITING, name: "One more" });
    await viewsOf(jane).create.mutate({ ...WAITING, list: "payments" });
    for (const field of [
      { name: "" },
      { name: " " },
      { name: "x".repeat(61) },
      { search: "" },
      { search: "x".repeat(1001) },
    ]) {
      await expect(viewsOf(joe).create.mutate({ ...WAITING, ...field })).rejects.toMatchObject({
        data: { code: "invalid_request" },
      });
    }
  });

  it("are each person's own", async () => {
    const { id } = await viewsOf(jane).create.mutate(WAITING);
    await viewsOf(joe).create.mutate(WAITING);
    const joes = await viewsOf(joe).create.mutate({ ...WAITING, name: "Joe's" });
    expect(await namesOf(jane)).toEqual(["Waiting"]);
    const stranger = await service.staff((await service.organization()).organization_id);
    expect(await namesOf(stranger)).toEqual([]);
    for (const other of [joe, stranger]) {
      const views = viewsOf(other);
      const unknown = { data: { code: "not_found" } };
      await expect(views.rename.mutate({ id, name: "Mine" })).rejects.toMatchObject(unknown);
      await expect(views.delete.mutate({ id })).rejects.toMatchObject(unknown);
    }
    const owner = await service.staff(organization_id, "owner");
    await owner.trpc.dashboard.members.remove.mutate({ user_id: joe.user_id });
    const left = await service.database`
      select id from saved_views where organization_id = ${organization_id} and user_id = ${joe.user_id}`;
    expect([joes.id, ...left.map((row) => row.id)]).toEqual([joes.id]);
    expect(await namesOf(jane)).toEqual(["Waiting"]);
  });

  it("are deleted with the affiliate whom they name", async () => {
    const program = await createProgram(service);
    const owner = await service.staff(program.organization.organization_id, "owner");
    const { id } = await program.organization.trpc.affiliates.create.mutate({
      email: "Zoë+sales@example.com",
      first_name: "Zoë",
      last_name: "Roe",
    });
    const views = [
      { name: "Mails of ZOË+sales@example.com", search: "status=active" },
      { name: "By address", search: "text=zo%C3%AB%2Bsales@example.com" },
      { name: "By name", search: "text=zo%C3%AB+roe" },
      { name: "By id", search: `affiliate=${id}` },
      { name: "Others", search: "text=roe" },
    ];
    for (const view of views) await viewsOf(owner).create.mutate({ list: "payments", ...view });
    await owner.trpc.dashboard.erasures.affiliate.mutate({ affiliate_id: id });
    expect(await namesOf(owner, "payments")).toEqual(["Others"]);
  });
});

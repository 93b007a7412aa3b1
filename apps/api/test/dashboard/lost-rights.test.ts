/* Changes that were admitted just before their sender lost the right to them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { app_router } from "../../src/router.ts";
import type { Input } from "../operations.ts";
import { addOverridable } from "../overridable.ts";
import { addAdjustment, addLead, createProgram, type Program, storedRows } from "../program.ts";
import { type StaffClient, startTestService, type TestService } from "../test-service.ts";
import { type Known as KnownInApi, validInput } from "../valid-inputs.ts";
import { inputOf, type Known, makeKnown } from "./inputs.ts";
import { RIGHTS } from "./rights.ts";

let service: TestService;
let known: Known;
let program: Program;
let known_in_api: KnownInApi;

beforeAll(async () => {
  service = await startTestService();
  known = await makeKnown(service);
  program = await createProgram(service);
  const adjustment_id = await addAdjustment(program);
  const lead_id = await addLead(program);
  const overridable = await addOverridable(service, program);
  known_in_api = {
    ...program,
    ...overridable,
    adjustment_id,
    lead_id,
    payout_id: known.payout_id,
    event_id: known.event_id,
  };
});

afterAll(() => service.close());

/** Mutations that change nothing, so that they need no transaction of their own. */
const READS = [
  "dashboard.affiliates.checkImport",
  "dashboard.affiliates.previewWelcome",
  "dashboard.campaigns.simulate",
  "dashboard.claims.preview",
  "dashboard.payment_decisions.previewRerun",
];

/** Every change that people may make; new operations are included automatically. */
const changes = Object.entries(
  app_router._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([name, { _def }]) => _def.type === "mutation" && !READS.includes(name))
  .map(([name]) => name);

const organizationOf = (name: string) =>
  name.startsWith("dashboard.")
    ? known.staff.headers["findersfee-organization"]
    : program.organization.organization_id;

/** A valid input, and no dry run: it would change something. */
function changeOf(name: string): Input {
  const input = name.startsWith("dashboard.") ? inputOf(name, known) : validInput(name, known_in_api);
  if (name === "dashboard.invitations.create") return { ...input, mailed: false };
  return "dry_run" in input ? { ...input, dry_run: false, version: "1" } : input;
}

async function post({ url, headers }: Pick<StaffClient, "url" | "headers">, name: string, input: Input) {
  const response = await fetch(`${url}/trpc/${name}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  // biome-ignore lint/suspicious/noExplicitAny: only the code is read
  const body: any = await response.json();
  return { status: response.status, code: body.error?.data.code ?? null };
}

/** The further tables that people fill, in addition to `storedRows`. */
const TABLES = [
  "api_keys",
  "claims",
  "invitations",
  "jobs",
  "payout_runs",
  "portal_tokens",
  "processors",
  "replays",
];

async function everything(): Promise<unknown> {
  const others = TABLES.map(
    (table) => service.database`
      select to_jsonb(stored) - 'last_used_at' as row from ${service.database(table)} stored order by 1`,
  );
  return [await storedRows(service.database), await Promise.all(others)];
}

const LOSSES = [
  {
    loss: "is removed",
    code: "not_a_member",
    lose: (user_id: string) => service.database`delete from members where user_id = ${user_id}`,
  },
  {
    loss: "becomes a viewer",
    code: "forbidden_role",
    lose: (user_id: string) =>
      service.database`update members set role = 'viewer' where user_id = ${user_id}`,
  },
];

describe.each(changes.filter((name) => !["user", "program"].includes(RIGHTS[name] ?? "")))("%s", (name) => {
  // Each member may make some changes, viewers included.
  it.each(LOSSES.filter(({ code }) => RIGHTS[name] !== "member" || code === "not_a_member"))(
    "changes nothing for a member who $loss while the request is under way",
    async ({ code, lose }) => {
      const staff = await service.staff(
        organizationOf(name) ?? "",
        RIGHTS[name] === "owner" ? "owner" : "admin",
      );
      const before = await everything();
      // The session is in the service's memory for less than a second: the request is admitted, or refused for the same reason.
      await fetch(`${staff.url}/trpc/dashboard.jobs.list`, { headers: staff.headers });
      await lose(staff.user_id);
      expect(await post(staff, name, changeOf(name))).toEqual({ status: 403, code });
      expect(await everything()).toEqual(before);
    },
  );
});

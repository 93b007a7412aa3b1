/* The statements of each query of the dashboard: few, and as many for one row as for several. */
import { randomUUID } from "node:crypto";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { openScans } from "@findersfee/database/testing/open-scans";
import { addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { addEndpoint, makeContext } from "@findersfee/domain/testing/subscriber";
import { afterAll, beforeAll, expect, it } from "vitest";
import { app_router } from "../../src/router.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { inputOf, insertClaim, type Known, makeKnown } from "./inputs.ts";

const MOST_STATEMENTS = 13;
const MORE_ROWS = 10;

const queries = Object.entries(
  app_router._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([name, { _def }]) => name.startsWith("dashboard.") && _def.type === "query")
  .map(([name]) => name);

let service: TestService;
let known: Known;
/** The numbers of statements by query: for an organization with one row of everything, and for one with more. */
let few: Record<string, number>;
let many: Record<string, number>;
const statements = new Set<string>();

beforeAll(async () => {
  service = await startTestService();
  known = await makeKnown(service);
  few = await countStatements();
  await addRows();
  many = await countStatements();
});

afterAll(() => service.close());

async function countStatements(): Promise<Record<string, number>> {
  const { url, headers } = known.staff;
  const counts: Record<string, number> = {};
  for (const name of queries) {
    const input = encodeURIComponent(JSON.stringify(inputOf(name, known)));
    const call = async () => {
      const response = await fetch(`${url}/trpc/${name}?input=${input}`, { headers });
      // The status of a sale that was not played.
      expect(response.status, name).toBe(name.endsWith(".test_sale") ? 404 : 200);
      await response.arrayBuffer();
    };
    // The first call checks the session, and may prepare data for later ones.
    await call();
    const sent = await statementsOf(service.database, call);
    counts[name] = sent.length;
    for (const statement of sent) statements.add(statement);
  }
  return counts;
}

/** Adds rows of every kind to the organization. */
async function addRows(): Promise<void> {
  const { headers, trpc } = known.staff;
  const context = await makeContext(service.database);
  context.organization = { ...context.organization, id: headers["findersfee-organization"] ?? "" };
  for (let number = 0; number < MORE_ROWS; number++) {
    const customer = { customer_id: `cus_${number}`, email: `customer${number}@example.com` };
    const partner = await addPartner(context, { name: `Campaign ${number}` });
    const at = new Date(Date.now() - (number + 1) * 60_000);
    const click_ids = [await click(context, { ...partner, at: new Date(at.getTime() - 60_000) })];
    await report(
      context,
      checkout({ subject: `cs_${number}`, ...customer, click_ids, at }),
      payment({ subject: `in_${number}`, ...customer, at }),
    );
    await addEndpoint(context, { url: `https://example.com/hooks/${number}` });
    await trpc.dashboard.api_keys.create.mutate({ name: `Key ${number}`, scopes: ["view"] });
    await insertClaim(service, {
      organization_id: context.organization.id,
      affiliate_id: known.affiliate_id,
      email: `more${number}@example.com`,
    });
    await report(context, payment({ subject: `in_again_${number}`, customer_id: "cus_1", at }));
    const email = `${randomUUID()}@example.com`;
    await trpc.dashboard.invitations.create.mutate({ email, role: "viewer", mailed: false });
    await service.database`
      insert into processor_messages (organization_id, processor, id, type, body, state, occurred_at, received_at, source)
      values (${context.organization.id}, 'generic', ${randomUUID()}, 'payment', '{}', 'parked', now(), now(), 'webhook')`;
  }
}

it("counts statements", () => expect(many["dashboard.affiliates.list"]).toBeGreaterThan(0));

it.each(queries)("%s takes few statements, and no more for more rows", (name) => {
  const [one = 0, several = 0] = [few[name], many[name]];
  expect(several, name).toBeLessThanOrEqual(MOST_STATEMENTS);
  // The session may be checked again, and rows of other kinds may need a statement for all of them.
  expect(several - one, name).toBeLessThan(MORE_ROWS / 2);
});

it("read rows of one organization alone", async () => {
  expect(await openScans(service.database, statements)).toEqual([]);
});

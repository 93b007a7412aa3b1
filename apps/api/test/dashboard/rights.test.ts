import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account_router } from "../../src/identity/account/router.ts";
import { app_router } from "../../src/router.ts";
import { v1 } from "../../src/v1-router.ts";
import { storedRows } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { ALLOWED, ALLOWED_IN_API, RIGHTS, SENDERS, type Sender } from "./rights.ts";
import { createSenders, REJECTIONS } from "./senders.ts";

let service: TestService;
/** The headers that identify each sender to the organization. */
let senders: Record<Sender, Record<string, string>>;

beforeAll(async () => {
  service = await startTestService();
  ({ senders } = await createSenders(service));
});

afterAll(() => service.close());

interface Procedure {
  name: string;
  type: string;
}

function proceduresOf(router: { _def: { procedures: unknown } }): Procedure[] {
  const procedures = Object.entries(router._def.procedures as Record<string, { _def: { type: string } }>);
  return procedures.map(([name, procedure]) => ({ name, type: procedure._def.type }));
}

const SURFACES = [
  { path: "/trpc", router: app_router, allowed: ALLOWED },
  { path: "/account/trpc", router: account_router, allowed: ALLOWED },
  { path: "/v1/trpc", router: v1, allowed: ALLOWED_IN_API },
];

/** An input that every procedure rejects, once the sender may call it: nothing happens. */
const INVALID = JSON.stringify({ nonsense: true });

/** The code of a rejection; null if the sender may call the procedure. */
async function rejectionOf(path: string, { name, type }: Procedure, sender: Sender): Promise<string | null> {
  const query = type === "query" ? `?input=${encodeURIComponent(INVALID)}` : "";
  const response = await fetch(`${service.url}${path}/${name}${query}`, {
    method: type === "query" ? "GET" : "POST",
    headers: { "content-type": "application/json", ...senders[sender] },
    ...(type === "query" ? {} : { body: INVALID }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: checked below
  const { error }: any = await response.json();
  const code = error?.data.code ?? null;
  if (REJECTIONS.includes(code)) return code;
  // Operations without an input run; they only read.
  expect(type === "query" ? [null, "invalid_request"] : ["invalid_request"]).toContain(code);
  return null;
}

describe.each(SURFACES)("at $path", ({ path, router, allowed }) => {
  it.each(proceduresOf(router))("$name answers those with the right, and nobody else", async (procedure) => {
    const right = RIGHTS[procedure.name];
    if (right === undefined) throw new Error(`declare in rights.ts who may call ${procedure.name}`);
    const before = await storedRows(service.database);
    const answered: Sender[] = [];
    for (const sender of SENDERS) {
      if ((await rejectionOf(path, procedure, sender)) === null) answered.push(sender);
    }
    expect(answered).toEqual(SENDERS.filter((sender) => allowed[right]?.includes(sender)));
    expect(await storedRows(service.database)).toEqual(before);
  });
});

it("declares rights of existing procedures only", () => {
  const names = SURFACES.flatMap(({ router }) => proceduresOf(router)).map(({ name }) => name);
  expect(Object.keys(RIGHTS).filter((name) => !names.includes(name))).toEqual([]);
});

it("shows people the roles that may call an operation, and programs the scope", async () => {
  const message = async (name: string, sender: Sender) => {
    const response = await fetch(`${service.url}/trpc/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...senders[sender] },
      body: "{}",
    });
    // biome-ignore lint/suspicious/noExplicitAny: checked below
    const { error }: any = await response.json();
    return `${response.status} ${error.data.code}: ${error.message}`;
  };
  expect(await message("campaigns.create", "viewer")).toBe(
    "403 forbidden_role: This operation needs the role admin or owner; yours is viewer.",
  );
  expect(await message("dashboard.erasures.members", "admin")).toBe(
    "403 forbidden_role: This operation needs the role owner; yours is admin.",
  );
  expect(await message("dashboard.settings.update", "key view")).toBe(
    "403 insufficient_scope: This operation needs an API key with the scope `admin`.",
  );
  expect(await message("dashboard.erasures.members", "key admin")).toBe(
    "403 insufficient_scope: API keys cannot call this operation: a person must sign in to the dashboard.",
  );
});

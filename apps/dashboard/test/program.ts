import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import type { Database } from "@findersfee/database/postgres/connect";
import { signIn } from "@findersfee/domain/testing/accounts";
import {
  addAffiliate,
  addPartner,
  click,
  payOut,
  report,
} from "@findersfee/domain/testing/attribution/program";
import { checkout, dispute, payment, refund } from "@findersfee/domain/testing/attribution/reported";
import { addEndpoint, makeContext } from "@findersfee/domain/testing/subscriber";
import { openWatched, type WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { buildDashboard } from "../scripts/build.ts";

export async function startDashboard(config = {}): Promise<TestService> {
  return await startTestService(config, undefined, { dashboard: await buildDashboard() });
}

type Context = Awaited<ReturnType<typeof makeContext>>;

/** An organization with its address. */
export interface Place {
  context: Context;
  organization_id: string;
  home: string;
}

const DAY_SECONDS = 86_400;

/** A moment `days` days ago, and some seconds later. */
function daysAgo(days: number, seconds = 0): Date {
  return new Date(Date.now() - (days * DAY_SECONDS - seconds) * 1000);
}

/** Texts as strangers write them. */
export const LONG_NAME = "x".repeat(99);
export const LONG_TEXT = "y".repeat(10_000);
export const ARABIC = "شركة التسويق بالعمولة الدولية";
export const MARKUP = '<img src=x onerror="alert(1)"> & <b>bold</b>';

type CampaignFields = NonNullable<Parameters<typeof addPartner>[1]>;

/** Questions of every type. */
const QUESTIONS = [
  { id: "audience", label: "Who is your audience?", type: "text", options: [], required: true },
  { id: "about", label: ARABIC, type: "textarea", options: [], required: false },
  { id: "size", label: LONG_NAME, type: "select", options: ["Small", LONG_NAME], required: false },
  { id: "topics", label: MARKUP, type: "multi_select", options: ["Design", ARABIC], required: false },
] satisfies NonNullable<CampaignFields["custom_fields"]>;

export async function createPlace(database: Database, name = "Acme"): Promise<Place> {
  const context = await makeContext(database);
  const { id } = context.organization;
  await database`update organizations set name = ${name} where id = ${id}`;
  const [row] = await database<[{ slug: string }]>`select slug from organizations where id = ${id}`;
  return { context, organization_id: id, home: `/o/${row.slug}` };
}

/** Affiliates with payments of every kind: commissions held, due, paid, reduced and reversed, and reasons for none. */
export async function fillPlace({ context }: Place): Promise<void> {
  await addEndpoint(context);
  const jane = await addPartner(
    context,
    {
      name: "Partner program",
      custom_fields: QUESTIONS,
      welcome_message: `Welcome!\n${MARKUP}`,
      dashboard_text: LONG_TEXT,
    },
    { email: "jane@example.com", first_name: "Jane", last_name: "Doe" },
  );
  const max = await addPartner(
    context,
    { name: "Waiting list", approval_needed: true },
    { email: "max@example.com", first_name: "Max", last_name: "Roe" },
  );
  await fillApplications(context, max);
  const arabic = await addPartner(
    context,
    { name: "Friends" },
    { email: "arabic@example.com", first_name: ARABIC, last_name: MARKUP },
  );
  const buy = async (
    number: number,
    affiliate: { affiliate_id: string } | null,
    { days, clicked = days + 1, amount = 4900n, currency = "USD" }: Sale,
  ) => {
    const customer = { customer_id: `cus_${number}`, email: `customer${number}@example.com` };
    const click_ids =
      affiliate === null ? [] : [await click(context, { ...affiliate, at: daysAgo(clicked) })];
    await report(
      context,
      checkout({ subject: `cs_${number}`, ...customer, click_ids, at: daysAgo(days) }),
      payment({
        subject: `in_${number}`,
        ...customer,
        at: daysAgo(days, 60),
        revenue_minor: amount,
        paid_minor: (amount * 6n) / 5n,
        currency,
      }),
    );
  };
  await buy(1, jane, { days: 40 });
  await buy(2, jane, { days: 38, amount: 19_900n });
  await payOut(context);
  await buy(3, jane, { days: 20, amount: 4899n });
  await buy(4, jane, { days: 3 });
  await buy(5, arabic, { days: 2, amount: 120_000n, currency: "JPY" });
  await buy(6, max, { days: 1 });
  await buy(7, jane, { days: 1, clicked: 32 });
  await buy(8, null, { days: 1, amount: 9900n });
  await buy(9, null, { days: 0, amount: 1900n });
  await report(
    context,
    refund({ subject: "re_4", amount_minor: 1960n, references: ["in_4"], at: daysAgo(1, 10) }),
    refund({ subject: "re_1", amount_minor: 5880n, references: ["in_1"], at: daysAgo(1, 20) }),
  );
  await buy(10, jane, { days: 4, amount: 19_900n });
  await report(
    context,
    dispute({ subject: "dp_10", amount_minor: 23_880n, references: ["in_10"], at: daysAgo(1, 30) }),
  );
}

/** Applications with answers, one of them with texts as strangers write them, and one of somebody who is there already. */
async function fillApplications(
  context: Context,
  { affiliate_id, campaign_id }: { affiliate_id: string; campaign_id: string },
): Promise<void> {
  const { database, organization } = context;
  const answers = [
    { id: crypto.randomUUID(), label: "Who is your audience?", value: "Designers, about 4,000 readers" },
    { id: crypto.randomUUID(), label: "Where will you post?", value: "https://max.example/blog" },
  ];
  const ids = [
    affiliate_id,
    await addAffiliate(context, {
      campaign_id,
      email: "second@example.com",
      payout_email: "jane@example.com",
      first_name: MARKUP,
      last_name: ARABIC,
      details: LONG_TEXT,
    }),
    await addAffiliate(context, { campaign_id, email: "lee@example.com" }),
  ];
  await database`
    update affiliates set custom_fields = ${database.json(answers)}, email_confirmed_at = now()
    where organization_id = ${organization.id} and id = any (${ids.slice(0, 2)}::uuid[])`;
}

interface Sale {
  days: number;
  clicked?: number;
  amount?: bigint;
  currency?: string;
}

export interface Visit extends BrowserContextOptions {
  role?: "owner" | "admin" | "viewer" | null;
}

/** Opens a page as a new member of the organization. */
export async function visit(
  browser: Browser,
  { service, place, path }: { service: TestService; place: Place; path: string },
  { role = "owner", ...options }: Visit = {},
): Promise<WatchedPage> {
  const { organization_id } = place;
  const cookies =
    role === null
      ? []
      : [await signIn(service.database, { organization_id, role })].map(({ cookie }) => {
          const [name = "", value = ""] = cookie.split("=");
          return { name, value, domain: "127.0.0.1", path: "/" };
        });
  const storageState = { cookies: cookies.map(withDefaults), origins: [] };
  return await openWatched(browser, `${service.url}${path}`, { ...options, storageState });
}

function withDefaults(cookie: { name: string; value: string; domain: string; path: string }) {
  return { ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: "Lax" as const };
}

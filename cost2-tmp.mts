import { startEmbedded } from "./packages/database/src/embedded.ts";
import { connect } from "./packages/database/src/connect.ts";
import { migrate } from "./packages/database/src/migrate.ts";
import { insertCommissions } from "./packages/database/src/commission-creation.ts";
import { newId } from "./packages/domain/src/ids.ts";
import { mkdtemp, chmod, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
const folder = await mkdtemp("/tmp/cost-"); await chmod(folder, 0o711);
const server = await startEmbedded({ data_dir: folder, settings: { fsync: "off", synchronous_commit: "off" } });
const sql = connect({ url: server.url, poolSize: 1, prepare: true, name: "cost" });
await migrate(sql);
const org = randomUUID(), campaign = randomUUID();
await sql`insert into organizations (id, name, currency, subscription_status, created_at) values (${org}, 'x', 'USD', 'active', now())`;
await sql.unsafe(`insert into campaigns (organization_id, id, name, website_url, commission_type, commission_value, is_default, limit_type, code_mode, custom_commission_type, custom_commissions, approval_needed, collect_details, custom_fields, hide_emails, cookie_duration, first_payment_enabled, first_payment_type, first_payment_value, created_at, customers, attribution, commission_cap, skip_prorations) values ('${org}','${campaign}','c','https://x.test','percentage',300000,true,'none','link','none','[]',false,false,'[]',false,30,false,'fixed',0,now(),'any','last_click',false,false)`);
const affs: string[] = [], refs: string[] = [];
for (let i = 0; i < 50; i++) { const id = randomUUID(); affs.push(id); await sql`insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, new_paid_referral_notifications, created_at) values (${org}, ${id}, ${campaign}, ${i + "@x.test"}, '', '', true, false, now())`;
 const r = randomUUID(); refs.push(r); await sql`insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, converted_at, created_at) values (${org}, ${r}, ${id}, ${i + "@c.test"}, 'active', now(), now(), now())`; }
await sql`analyze`;
function creation() {
  const i = Math.floor(Math.random() * 50); const now = new Date();
  const id = newId(now);
  return { commission: { id, affiliate_id: affs[i], referral_id: refs[i], revenue_minor: 10000n, commission_minor: 3000n, currency: "USD", referral_date: now, processor_payment_id: null, created_at: now, source: "key", cause: "key" },
    created: { id: newId(now), type: "commission.created", body: JSON.stringify({ x: "y".repeat(900) }), created_at: now }, converted: null, answer: null } as any;
}
const [{ pid }] = await sql`select pg_backend_pid() as pid`;
const spent = () => BigInt(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
async function round(size: number, count: number) {
  const start = spent();
  for (let n = 0; n < count; n++) await insertCommissions(sql, org, { creations: Array.from({ length: size }, creation), expired_before: new Date(0) });
  return Number(spent() - start) / 1e3 / count / size;
}
await sql.unsafe("set plan_cache_mode = force_generic_plan");
const modes = (process.argv[2] ?? "").split(",");
const best: Record<string, number[]> = {};
for (let r = 0; r < 24; r++) for (const mode of modes) for (const size of [1, 16]) {
  if (mode === "guard") await sql`alter table commissions enable trigger require_posting`;
  if (mode === "none") await sql`alter table commissions disable trigger require_posting`;
  await round(size, 5);
  (best[`${mode} ${size}`] ??= []).push(await round(size, Math.ceil(160 / size)));
}
for (const [k, v] of Object.entries(best)) { v.sort((a, b) => a - b); console.log(k, "min", v[0].toFixed(1), "p25", v[Math.floor(v.length / 4)].toFixed(1), "median", v[Math.floor(v.length / 2)].toFixed(1), "us per commission"); }
await sql.end(); await server.stop(); await rm(folder, { recursive: true });

import type { CreateAffiliate } from "@findersfee/contract/affiliates/affiliates";
import { importLineInput, type WrittenLine } from "@findersfee/contract/affiliates/import";
import { findAffiliateByEmail } from "@findersfee/database/affiliates/affiliates";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import { savepoint } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { CampaignRow } from "@findersfee/database/rows";
import { z } from "zod";
import { writeLines } from "../../csv/write-lines.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { JobKind, JobStep } from "../../work/jobs/kind.ts";
import { isCodeTaken } from "../conflicts.ts";
import { addAffiliate } from "../create.ts";

const inputSchema = z.object({
  campaign_id: z.string(),
  approved: z.boolean(),
  // Jobs of earlier versions have none.
  send_invitation: z.boolean().default(false),
});
type Input = z.infer<typeof inputSchema>;

const positionSchema = z.object({ part: z.int() }).nullable();
const partSchema = z.array(z.record(z.string(), z.string()));

const HEADER = ["line", "email", "outcome", "reason", "affiliate_id"];
/** Attempts, because another request may take a generated code first. */
const CODE_TRIES = 5;

interface Outcome {
  outcome: "created" | "existed" | "wrong";
  reason?: string;
  affiliate_id?: string;
}

/**
 * Creates the affiliates of a file, and reports the outcome of each line. The same file again changes
 * nothing.
 */
export const affiliatesImport: JobKind<Input> = {
  input: inputSchema,
  file: "affiliates-import",
  async step(step) {
    const { sql, organization, input, position, done, counts, readPart } = step;
    const part = positionSchema.parse(position)?.part ?? 1;
    const content = await readPart(part);
    const campaign = await findCampaign(sql, organization.id, input.campaign_id);
    if (campaign === null) throw notFound("campaign");
    const lines = partSchema.parse(JSON.parse(content ?? "[]"));
    const total = { created: 0, existed: 0, wrong: 0, ...counts };
    const written: string[][] = part === 1 ? [HEADER] : [];
    for (const [index, line] of lines.entries()) {
      const { outcome, reason = "", affiliate_id = "" } = await create(step, campaign, line);
      total[outcome] += 1;
      // The first line of the file has the columns.
      written.push([String(done + index + 2), line.email ?? "", outcome, reason, affiliate_id]);
    }
    return {
      position: (await readPart(part + 1)) === null ? null : { part: part + 1 },
      done: done + lines.length,
      counts: total,
      content: writeLines(written),
    };
  },
};

async function create(step: JobStep<Input>, campaign: CampaignRow, line: WrittenLine): Promise<Outcome> {
  const parsed = importLineInput.safeParse(line);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return { outcome: "wrong", reason: reasons.join(" ") };
  }
  const { sql, organization, input, actor, secrets_key } = step;
  const affiliate: CreateAffiliate = { ...parsed.data, ...input };
  for (let tries = 1; ; tries++) {
    try {
      const { id } = await savepoint(sql, (inner) =>
        addAffiliate(inner, { organization, actor, secrets_key }, { input: affiliate, campaign }),
      );
      return { outcome: "created", affiliate_id: id };
    } catch (error) {
      const names_codes = affiliate.ref_code !== undefined || affiliate.promo_code !== undefined;
      if (isCodeTaken(error) && !names_codes && tries < CODE_TRIES) continue;
      return await explain(step, affiliate, error);
    }
  }
}

/** The outcome of a line that failed with this error; throws an error that does not concern the line. */
async function explain(
  { sql, organization, input }: JobStep<Input>,
  { email }: CreateAffiliate,
  error: unknown,
): Promise<Outcome> {
  if (isCodeTaken(error)) return { outcome: "wrong", reason: "Another affiliate has the code." };
  if (error instanceof DomainError) {
    const issues = error.issues?.map(({ path, message }) => `${path}: ${message}`).join(" ");
    return { outcome: "wrong", reason: issues ?? error.message };
  }
  if (violatedUnique(error) !== "affiliates_campaign_email") throw error;
  const { campaign_id } = input;
  const affiliate_id = await findAffiliateByEmail(sql, organization.id, { campaign_id, email });
  return { outcome: "existed", ...(affiliate_id === null ? {} : { affiliate_id }) };
}

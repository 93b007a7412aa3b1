import { z } from "zod";
import { idInput } from "./fields.ts";

export const eraseAffiliateInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "The affiliate to erase; its balance must be settled." }),
});

export const eraseMembersInput = z.strictObject({});

export const erasedMembersSchema = z.object({
  entries: z.int().meta({ description: "Audit log entries from which email addresses were erased." }),
});

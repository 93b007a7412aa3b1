import { z } from "zod";
import { campaignSchema } from "../campaigns/campaigns.ts";
import { email, timestamp } from "../fields.ts";
import { answerFields, applicationFields, applicationSchema, signupForm } from "./join.ts";

/** An application as it was sent, beside the form as it is now. */
export const portalApplicationSchema = z.object({
  email,
  sent_at: timestamp,
  application: applicationSchema,
  answers: z.array(z.object(answerFields)).meta({ description: "The questions as they were answered." }),
  campaign: z.object({ name: campaignSchema.shape.name, ...signupForm }),
});

export type PortalApplication = z.infer<typeof portalApplicationSchema>;

/** The edited application. It replaces the sent one. */
export const updateApplicationInput = z.strictObject(applicationFields);

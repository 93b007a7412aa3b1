import { z } from "zod";
import { text, timestamp } from "../fields.ts";
import { linkTokenInput } from "../identity/account-fields.ts";

const MAX_SLUG_LENGTH = 63;

/** A token of `POST /v1/portal_tokens`, in the page of its organization. */
export const embedInput = z.strictObject({
  organization: text(MAX_SLUG_LENGTH).meta({ description: "The organization's name in the page's address." }),
  token: linkTokenInput,
});

/** The session of a frame, which it keeps in memory and sends in the header `findersfee-portal-session`. */
export const embeddedSchema = z.object({
  session: z.string().meta({ description: "The secret of the session." }),
  expires_at: timestamp.meta({ description: "When the session ends." }),
  affiliate_id: z.string().meta({ description: "The only affiliate that it sees." }),
});

export const viewInput = z.strictObject({ token: linkTokenInput });

/** The session of staff who view an affiliate's portal. It is sent in the same header. */
export const viewedSchema = embeddedSchema.extend({
  organization: z.string().meta({ description: "The organization's name in the dashboard's addresses." }),
  agreed: z.boolean().meta({
    description: "Whether the person agreed to be the affiliate: until then, they see an invitation instead.",
  }),
});

export type Viewed = z.infer<typeof viewedSchema>;

export type Embedded = z.infer<typeof embeddedSchema>;

import { z } from "zod";
import { idInput } from "../fields.ts";

/** The answer to the invitation of an organization that added the person as an affiliate. */
export const answerInvitationInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "The affiliate of the invitation." }),
});

export type AnswerInvitation = z.output<typeof answerInvitationInput>;

import { z } from "zod";
import { id, idInput, timestamp } from "../fields.ts";
import { accountEmailInput, linkTokenInput, newPasswordInput, personNameInput } from "./account-fields.ts";
import { type Role, roles } from "./roles.ts";

export const invitationSchema = z.object({
  id,
  email: z.string(),
  role: z.enum(roles),
  mailed: z
    .boolean()
    .meta({ description: "Whether the link is sent by email. If not, the inviter passes it on." }),
  invited_by: z.string().nullable().meta({
    description: "The name of the inviting person; null if the person was deleted or the operator invited.",
  }),
  created_at: timestamp,
  expires_at: timestamp,
});

export type Invitation = z.infer<typeof invitationSchema>;

export const createInvitationInput = z.strictObject({
  email: accountEmailInput,
  role: z.enum(roles),
  mailed: z.boolean().default(true).meta({
    description: "True: sends the link by email. False: returns the link, for the inviter to pass on.",
  }),
});

export type CreateInvitation = z.infer<typeof createInvitationInput>;

export const createdInvitationSchema = invitationSchema.extend({
  link: z.string().nullable().meta({ description: "Shown once; null if it is sent by email." }),
});

export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

export const invitationIdInput = z.strictObject({ id: idInput });

export const getInvitationInput = z.strictObject({ token: linkTokenInput });

/** The content of an invitation's page. */
export interface OpenInvitation {
  organization_name: string;
  email: string;
  role: Role;
  invited_by: string | null;
  expires_at: string;
  /**
   * True: the person signs in with this email to accept. False: they choose a name and a password. Null: a copied link does not
   * tell, because everybody can make one for any email.
   */
  has_account: boolean | null;
  /** The email of the person who is signed in in this browser. */
  signed_in_as: string | null;
}

export const acceptInvitationInput = z.strictObject({
  token: linkTokenInput,
  name: personNameInput.optional().meta({ description: "Required without an account." }),
  password: newPasswordInput.optional().meta({ description: "Required without an account." }),
});

export type AcceptInvitation = z.infer<typeof acceptInvitationInput>;

export interface InvitationAccepted {
  organization_slug: string;
}

import { z } from "zod";
import { accountEmailInput, linkTokenInput, newPasswordInput, personNameInput } from "./account-fields.ts";
import { id, idInput, timestamp } from "./fields.ts";
import { type Role, roles } from "./roles.ts";

export const invitationSchema = z.object({
  id,
  email: z.string(),
  role: z.enum(roles),
  mailed: z.boolean().meta({ description: "False: the inviter passes the link on." }),
  invited_by: z
    .string()
    .nullable()
    .meta({ description: "The name of the person who invited; null: a program." }),
  created_at: timestamp,
  expires_at: timestamp,
});

export type Invitation = z.infer<typeof invitationSchema>;

export const createInvitationInput = z.strictObject({
  email: accountEmailInput,
  role: z.enum(roles),
  mailed: z.boolean().default(true).meta({
    description: "True: the link is mailed. False: the answer has the link, to be passed on.",
  }),
});

export type CreateInvitation = z.infer<typeof createInvitationInput>;

export const createdInvitationSchema = invitationSchema.extend({
  link: z.string().nullable().meta({ description: "Shown once; null if it is mailed." }),
});

export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

export const invitationIdInput = z.strictObject({ id: idInput });

export const getInvitationInput = z.strictObject({ token: linkTokenInput });

/** What the page of an invitation shows. */
export interface OpenInvitation {
  organization_name: string;
  email: string;
  role: Role;
  invited_by: string | null;
  expires_at: string;
  /** True: the person signs in with this email to accept. False: they choose a name and a password. */
  has_account: boolean;
}

export const acceptInvitationInput = z.strictObject({
  token: linkTokenInput,
  name: personNameInput.optional().meta({ description: "Of a new account." }),
  password: newPasswordInput.optional().meta({ description: "Of a new account." }),
});

export type AcceptInvitation = z.infer<typeof acceptInvitationInput>;

export interface InvitationAccepted {
  organization_slug: string;
}

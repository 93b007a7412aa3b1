import { z } from "zod";
import { currencyInput, idInput } from "../fields.ts";
import {
  accountEmailInput,
  linkTokenInput,
  newPasswordInput,
  organizationNameInput,
  personNameInput,
  timeZoneInput,
} from "./account-fields.ts";

export const setupStatusInput = z.strictObject({ token: linkTokenInput });

/** The purpose of a setup link. */
export interface SetupStatus {
  /** `first_user`: creates the first user. `user`: lets an existing user choose a new password. */
  purpose: "first_user" | "user";
  /** The user of the link; null: the first user is yet to be created. */
  user: { name: string; email: string } | null;
  /** For the first user: the existing organizations. The user can join one of them as owner. */
  organizations: { id: string; name: string; currency: string }[];
  expires_at: string;
}

const newOrganizationInput = z.strictObject({
  name: organizationNameInput,
  currency: currencyInput,
  time_zone: timeZoneInput,
});

export const completeSetupInput = z.strictObject({
  token: linkTokenInput,
  password: newPasswordInput,
  name: personNameInput.optional().meta({ description: "Required for the first user." }),
  email: accountEmailInput.optional().meta({ description: "Required for the first user." }),
  organization: newOrganizationInput.optional().meta({
    description: "For the first user: an organization to create. Either this or `organization_id`.",
  }),
  organization_id: idInput
    .optional()
    .meta({ description: "For the first user: an existing organization to join as owner." }),
});

export type CompleteSetup = z.infer<typeof completeSetupInput>;

export interface SetupCompleted {
  /** The organization to open; null: the user has none. */
  organization_slug: string | null;
}

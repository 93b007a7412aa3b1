import { z } from "zod";
import { amountInput, currencyInput, text, wholeNumber } from "../fields.ts";
import { minimumPayoutsSchema } from "../organizations.ts";

/* Owners' requirements for everybody in their organization. */

const MAX_NETWORKS = 50;

/** Longer than the longest IPv6 network in CIDR notation. */
const MAX_NETWORK_LENGTH = 64;

const networks = z.array(z.string()).meta({ example: ["192.0.2.0/24", "2001:db8::/32"] });

export const securityPolicySchema = z
  .object({
    second_factor_required: z.boolean().meta({
      description: "Whether members need an authenticator app. API keys are not affected.",
      example: true,
    }),
    session_hours: z.int().nullable().meta({
      description:
        "Hours after a sign-in until the organization asks for another one; null: as long as sessions last.",
      example: 12,
    }),
    idle_minutes: z.int().nullable().meta({
      description:
        "Minutes without a request, to the minute, after which the organization asks for another sign-in; null: no limit.",
      example: 30,
    }),
    key_networks: networks.meta({
      description: "Where requests with secret keys may come from, as CIDR; empty: anywhere.",
    }),
    staff_networks: networks.meta({
      description: "Where members may work from, as CIDR; empty: anywhere.",
    }),
    approval_amounts: minimumPayoutsSchema.nullable().meta({
      description:
        "A payout run above one of these amounts, or with a currency that has none, waits for another member; null: none waits.",
    }),
  })
  .meta({ id: "SecurityPolicy" });

export type SecurityPolicy = z.infer<typeof securityPolicySchema>;

const networksInput = z
  .array(text(MAX_NETWORK_LENGTH).min(1))
  .max(MAX_NETWORKS)
  .optional()
  .meta({
    description: "Replaces the list. An address without a length is a network of one.",
    example: ["192.0.2.0/24"],
  });

/** Omitted fields keep their values. */
export const updateSecurityPolicyInput = z.strictObject({
  second_factor_required: z.boolean().optional(),
  session_hours: wholeNumber(1, 720).nullable().optional(),
  idle_minutes: wholeNumber(5, 1440).nullable().optional(),
  key_networks: networksInput,
  staff_networks: networksInput,
  approval_amounts: z
    .record(currencyInput, amountInput)
    .nullable()
    .optional()
    .meta({
      description: "Replaces all amounts; without any, each payout run waits.",
      example: { USD: 5000 },
    }),
});

export type UpdateSecurityPolicy = z.infer<typeof updateSecurityPolicyInput>;

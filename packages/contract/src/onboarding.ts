import { z } from "zod";
import { paymentOutcome } from "./attribution/payment-decisions.ts";
import { amount, currency, id, idInput, timestamp } from "./fields.ts";
import { processorNames } from "./processors/processors.ts";

/** The first steps of an organization, each with the last fact seen; null: nothing yet. */
export const onboardingSchema = z
  .object({
    dismissed_at: timestamp.nullable().meta({ description: "When somebody put the steps away." }),
    is_test: z.boolean().meta({ description: "Whether the organization is test data itself." }),
    publishable_key: z.string().nullable().meta({ description: "For the tag of web pages." }),
    tracker: z
      .object({
        link_url: z.string().nullable().meta({
          description: "The address of the organization's custom link domain, which has the script, too.",
        }),
        domains: z.array(z.string()).meta({
          description: "For `data-domains` of the tag, if the organization's websites have several.",
        }),
      })
      .meta({ description: "The attributes of the tag, apart from the key." }),
    test_data: z
      .object({ id, slug: z.string() })
      .nullable()
      .meta({ description: "The organization with the test data; null: no sale was played." }),
    campaign: z
      .object({ id, name: z.string(), website_url: z.string().nullable(), code_mode: z.string() })
      .nullable(),
    affiliate: z
      .object({ id, email: z.string(), name: z.string(), code: z.string().nullable() })
      .nullable()
      .meta({ description: "The first one who is approved, with the code of its link." }),
    click: z
      .object({
        clicked_at: timestamp,
        landing_url: z.string().nullable(),
        code: z.string(),
        affiliate: z.string(),
      })
      .nullable()
      .meta({ description: "The last one." }),
    connections: z.array(
      z.object({
        name: z.enum(processorNames),
        livemode: z.boolean(),
        refused: z
          .object({ at: timestamp, reason: z.string() })
          .nullable()
          .meta({ description: "The last message that was refused, as for its signature." }),
        message: z
          .object({
            id: z.string(),
            type: z.string(),
            state: z.enum(["received", "done", "skipped", "parked"]),
            reason: z.string().nullable(),
            received_at: timestamp,
          })
          .nullable()
          .meta({ description: "The last one with a valid signature." }),
      }),
    ),
    payment: z
      .object({ id, outcome: paymentOutcome, paid_at: timestamp, commission_id: id.nullable() })
      .nullable()
      .meta({ description: "The last one." }),
    commission: z
      .object({ id, commission_amount: amount, currency })
      .nullable()
      .meta({ description: "The first one." }),
  })
  .meta({ id: "Onboarding" });

export type Onboarding = z.infer<typeof onboardingSchema>;

export const dismissOnboardingInput = z.strictObject({
  dismissed: z.boolean().meta({ description: "False shows the steps again." }),
});

export const playSaleInput = z.strictObject({
  id: idInput.meta({ description: "Identifies the sale: the same one again changes nothing." }),
  campaign_id: idInput
    .optional()
    .meta({ description: "Default: the default campaign, or else the first one." }),
});

export type PlaySale = z.output<typeof playSaleInput>;

export const testSaleInput = playSaleInput.pick({ id: true });

export const removeTestDataInput = z.strictObject({
  organization_id: idInput.meta({ description: "The organization with the test data." }),
});

export const testSaleSchema = z
  .object({
    state: z.enum(["waiting", "decided", "failed"]).meta({
      description: "`waiting` until a worker has processed its messages.",
    }),
    reason: z.string().nullable().meta({ description: "Why it failed." }),
    organization: z.object({ id, slug: z.string() }).meta({ description: "The one with the test data." }),
    outcome: paymentOutcome.nullable(),
    decision_id: id.nullable(),
    commission_id: id.nullable(),
  })
  .meta({ id: "TestSale" });

export type TestSale = z.infer<typeof testSaleSchema>;

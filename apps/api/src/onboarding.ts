import {
  dismissOnboardingInput,
  onboardingSchema,
  playSaleInput,
  removeTestDataInput,
  testSaleInput,
  testSaleSchema,
} from "@findersfee/contract/onboarding";
import { dismissOnboarding } from "@findersfee/domain/onboarding/dismiss";
import { getTestSale, playSale } from "@findersfee/domain/onboarding/play-sale";
import { getOnboarding } from "@findersfee/domain/onboarding/status";
import { removeTestData } from "@findersfee/domain/onboarding/test-organization";
import { adminProcedure, router, viewProcedure } from "./trpc/trpc.ts";

export const onboarding = router({
  status: viewProcedure.output(onboardingSchema).query(({ ctx }) => getOnboarding(ctx.domain)),

  dismiss: adminProcedure
    .input(dismissOnboardingInput)
    .mutation(({ ctx, input }) => dismissOnboarding(ctx.domain, input.dismissed)),

  play_sale: adminProcedure
    .input(playSaleInput)
    .output(testSaleSchema)
    .mutation(({ ctx, input }) => {
      const { tracking, intake, endpoint_policy } = ctx;
      return playSale(ctx.domain, { tracking, intake, secrets_key: endpoint_policy.secrets_key }, input);
    }),

  test_sale: viewProcedure
    .input(testSaleInput)
    .output(testSaleSchema)
    .query(({ ctx, input }) => getTestSale(ctx.domain, input.id)),

  remove_test_data: adminProcedure
    .input(removeTestDataInput)
    .mutation(({ ctx, input }) => removeTestData(ctx.domain, input.organization_id)),
});

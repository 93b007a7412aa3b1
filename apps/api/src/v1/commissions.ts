import {
  commissionPageSchema,
  commissionSchema,
  createCommissionInput,
  getCommissionInput,
  listCommissionsInput,
  updateCommissionInput,
} from "@findersfee/contract/commissions";
import { createCommission } from "@findersfee/domain/commissions/create";
import { getCommission } from "@findersfee/domain/commissions/get";
import { listCommissions } from "@findersfee/domain/commissions/list";
import { updateCommission } from "@findersfee/domain/commissions/update";
import { readProcedure, router, writeProcedure } from "../trpc.ts";

const tags = ["Commissions"];

export const commissions = router({
  list: readProcedure
    .meta({
      openapi: { method: "GET", path: "/commissions", tags, summary: "List commissions" },
      errors: ["not_found"],
    })
    .input(listCommissionsInput)
    .output(commissionPageSchema)
    .query(({ ctx, input }) => listCommissions(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: { method: "GET", path: "/commissions/{id}", tags, summary: "Get a commission" },
      errors: ["not_found"],
    })
    .input(getCommissionInput)
    .output(commissionSchema)
    .query(({ ctx, input }) => getCommission(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/commissions",
        tags,
        summary: "Create a commission",
        description:
          "For payments that no payment processor reports. Sends `commission.created`, and `referral.converted` with the referral's first commission. Needs an active or trialing subscription.",
      },
      errors: ["subscription_error", "not_found", "commission_exists", "idempotency_conflict"],
    })
    .input(createCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => createCommission(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/commissions/{id}",
        tags,
        summary: "Update a commission",
        description:
          "Omitted fields stay as they are; null clears a field that may be null. A commission in a payout can no longer be changed.",
      },
      errors: ["not_found", "commission_exists", "commission_locked"],
    })
    .input(updateCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => updateCommission(ctx.domain, input)),
});

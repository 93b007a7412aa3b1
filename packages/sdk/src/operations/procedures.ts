// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

import type { Caller } from "../calls/caller.ts";
import type { Findersfee } from "./operations.ts";

/** Implements the operations as calls of the procedures with their names. */
export function nameProcedures(caller: Caller): Findersfee {
  return {
    campaigns: {
      list: (input, options) => caller.list({ path: "campaigns.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("campaigns.get", input, options),
      create: (input, options) => caller.create("campaigns.create", input, options),
      update: (input, options) => caller.update("campaigns.update", input, options),
    },
    affiliates: {
      list: (input, options) => caller.list({ path: "affiliates.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("affiliates.get", input, options),
      create: (input, options) => caller.create("affiliates.create", input, options),
      update: (input, options) => caller.update("affiliates.update", input, options),
      credit: (input, options) => caller.create("affiliates.credit", input, options),
    },
    affiliate_rules: {
      get: (input, options) => caller.query("affiliate_rules.get", input, options),
      set: (input, options) => caller.create("affiliate_rules.set", input, options),
      remove: (input, options) => caller.create("affiliate_rules.remove", input, options),
    },
    affiliate_tiers: {
      get: (input, options) => caller.query("affiliate_tiers.get", input, options),
    },
    referrals: {
      list: (input, options) => caller.list({ path: "referrals.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("referrals.get", input, options),
      create: (input, options) => caller.create("referrals.create", input, options),
      update: (input, options) => caller.update("referrals.update", input, options),
      move: (input, options) => caller.create("referrals.move", input, options),
      stop: (input, options) => caller.create("referrals.stop", input, options),
    },
    commissions: {
      list: (input, options) => caller.list({ path: "commissions.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("commissions.get", input, options),
      create: (input, options) => caller.create("commissions.create", input, options),
      update: (input, options) => caller.update("commissions.update", input, options),
      approve: (input, options) => caller.create("commissions.approve", input, options),
      reject: (input, options) => caller.create("commissions.reject", input, options),
    },
    conversions: {
      create: (input, options) => caller.create("conversions.create", input, options),
    },
    leads: {
      list: (input, options) => caller.list({ path: "leads.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("leads.get", input, options),
    },
    discounts: {
      get: (input, options) => caller.query("discounts.get", input, options),
    },
    adjustments: {
      list: (input, options) => caller.list({ path: "adjustments.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("adjustments.get", input, options),
      create: (input, options) => caller.create("adjustments.create", input, options),
      update: (input, options) => caller.update("adjustments.update", input, options),
    },
    payouts: {
      list: (input, options) => caller.list({ path: "payouts.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("payouts.get", input, options),
    },
    overrides: {
      list: (input, options) => caller.list({ path: "overrides.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("overrides.get", input, options),
      resume: (input, options) => caller.create("overrides.resume", input, options),
      undo: (input, options) => caller.create("overrides.undo", input, options),
    },
    backtests: {
      list: (input, options) => caller.list({ path: "backtests.list", cursor: "cursor" }, input, options),
      get: (input, options) => caller.query("backtests.get", input, options),
      create: (input, options) => caller.create("backtests.create", input, options),
      cancel: (input, options) => caller.create("backtests.cancel", input, options),
    },
    events: {
      list: (input, options) => caller.list({ path: "events.list", cursor: "after" }, input, options),
      get: (input, options) => caller.query("events.get", input, options),
    },
    analytics: {
      get: (input, options) => caller.query("analytics.get", input, options),
      series: (input, options) => caller.query("analytics.series", input, options),
    },
    portal_tokens: {
      create: (input, options) => caller.create("portal_tokens.create", input, options),
    },
  };
}

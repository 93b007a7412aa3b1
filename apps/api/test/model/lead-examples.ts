import { DAY, type History, MINUTE } from "./history.ts";
import { checkout, history, payment, TERMS, trial } from "./sample-histories.ts";

/** Histories with leads on which the service, or this model, contradicted the documents once. */
export const LEADS_MENDED: Record<string, History> = {
  conversion_after_payments: history(
    [
      payment({ at: 2 * DAY, name: 0 }),
      payment({ at: 2 * DAY + MINUTE, name: 1 }),
      { kind: "convert", customer: 0, name: "demo", by: "click", click: 0, hours_ago: 0 },
      { kind: "convert", customer: 0, name: "demo", by: "email", click: 0, hours_ago: 0 },
    ],
    { clicks: [0], customers: ["some"], terms: { customers: "any" } },
  ),
  conversion_by_an_id_of_earlier_payments: history(
    [
      payment({ at: -105 * DAY, name: 0 }),
      payment({ at: -3 * DAY, name: 1 }),
      { kind: "convert", customer: 0, name: "demo", by: "click", click: 0, hours_ago: 0 },
      { kind: "convert", customer: 0, name: "demo", by: "id", click: 0, hours_ago: 0 },
    ],
    { clicks: [0], customers: ["both"], terms: { customers: "any" } },
  ),
  sign_up_by_api_without_holding_period: history(
    [
      payment(),
      checkout({ at: 2 * DAY + MINUTE, codes: [] }),
      { kind: "set_payouts", hold_days: 0 },
      { kind: "refer", customer: 0, affiliate: 0 },
    ],
    { terms: { leads: [{ kind: "signup", amount: 7, daily_limit: null }] } },
  ),
  several_trials: history([checkout({ at: 2 * DAY }), trial(3 * DAY), trial(-40 * DAY)], {
    terms: { leads: [{ kind: "trial", amount: 7, daily_limit: null }] },
  }),
  sign_up_that_the_first_campaign_does_not_pay_for: history(
    [
      { kind: "sign_up", customer: 0, click: 0, signed: false },
      checkout({ at: 2 * DAY, codes: [1] }),
      { kind: "set_payouts", hold_days: 0 },
    ],
    {
      campaigns: [TERMS, { ...TERMS, leads: [{ kind: "signup", amount: 7, daily_limit: null }] }],
      affiliates: [
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 1, approved: true, is_customer: null, own_rules: null },
      ],
      clicks: [0],
    },
  ),
  sign_up_at_an_older_checkout: history(
    [
      checkout({ at: 2 * DAY }),
      { kind: "set_payouts", hold_days: 60 },
      checkout({ at: -40 * DAY }),
      { kind: "run" },
    ],
    { terms: { leads: [{ kind: "signup", amount: 7, daily_limit: null }] } },
  ),
  conversion_before_a_newer_checkout: history(
    [
      checkout({ at: 2 * DAY }),
      { kind: "convert", customer: 0, name: "demo", by: "email", click: 0, hours_ago: 2 },
      checkout({ at: -40 * DAY }),
    ],
    { terms: { leads: [{ kind: "demo", amount: 7, daily_limit: null }] } },
  ),
  lead_that_earns_nothing_moves_nowhere: history(
    [
      checkout({ at: 2 * DAY }),
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: false },
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    ],
    {
      terms: { leads: [{ kind: "signup", amount: 7, daily_limit: null }] },
      affiliates: [
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: 0, own_rules: null },
      ],
    },
  ),
};

import {
  type Checkout,
  DAY,
  type Fact,
  type History,
  type Payment,
  type Step,
  type Terms,
} from "./history.ts";

export const TERMS: Terms = {
  rate: { type: "percentage", amount: 30 },
  first_payment: null,
  products: {},
  limit: null,
  customers: "any",
  attribution: "last_click",
  cookie_duration: 30,
  commission_cap: true,
  skip_prorations: false,
  rules: [],
  leads: [],
  review: "none",
  review_above: null,
  recruiting: null,
  tiers: [],
};

export function history(
  steps: Step[],
  { terms = {}, ...changes }: Partial<History> & { terms?: Partial<Terms> } = {},
) {
  const partner = { campaign: 0, approved: true, is_customer: null, own_rules: null };
  return {
    processor: "generic",
    currency: "USD",
    campaigns: [{ ...TERMS, ...terms }],
    affiliates: [partner, partner],
    customers: ["both"],
    clicks: [],
    rates: [],
    steps,
    ...changes,
  } satisfies History;
}

export function once<Reported extends Fact>(fact: Reported): Reported & { twice: boolean } {
  return { ...fact, twice: false };
}

export function checkout(changes: Partial<Checkout> = {}): Step {
  const evidence = { codes: [0], clicks: [] };
  return once({ kind: "checkout", customer: 0, at: -3 * DAY, names_email: true, ...evidence, ...changes });
}

export function payment(changes: Partial<Payment> = {}): Step {
  const amount = {
    currency: "USD",
    revenue: 10_000,
    tax: 0,
    lines: [],
    proration: false,
    country: null,
    plan: null,
  };
  return once({
    kind: "payment",
    form: "invoice",
    customer: 0,
    at: 2 * DAY,
    names_email: true,
    name: 0,
    by: "usual",
    ...amount,
    ...changes,
  });
}

export function trial(at: number): Step {
  return once({ kind: "trial", customer: 0, at, names_email: true });
}

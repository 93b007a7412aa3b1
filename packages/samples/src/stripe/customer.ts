import type { ApiVersion, StripeObject } from "./api-version.ts";
import { type SampleDiscount, sampleDiscount } from "./discount.ts";

export interface SampleCustomer {
  id: string;
  created: number;
  email: string | null;
  name?: string | null;
  discount?: SampleDiscount | null;
  metadata?: Record<string, string>;
}

/** A customer (https://docs.stripe.com/api/customers/object), which has the same fields in both versions. */
export function sampleCustomer(api_version: ApiVersion, sample: SampleCustomer): StripeObject {
  const { id, created, email, name = null, discount = null, metadata = {} } = sample;
  return {
    id,
    object: "customer",
    address: null,
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: discount === null ? null : sampleDiscount(api_version, discount),
    email,
    invoice_prefix: "A1B2C3D4",
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

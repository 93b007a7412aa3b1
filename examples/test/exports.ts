import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The code of a file as shown in a document. */
export function codeBlockOf(document: string, file: string): string {
  const text = readFileSync(join(ROOT, document), "utf8");
  const [, after = ""] = text.split(new RegExp(`^\`\`\`[a-z]+ ${file}\n`, "m"));
  const [code = ""] = after.split(/^```$/m);
  if (code === "") throw new Error(`${document} does not show ${file}`);
  return code;
}

/** A sample export with its expected import. */
export interface SampleExport {
  files: Record<string, unknown>;
  affiliates: Record<string, unknown>[];
  /** With each affiliate's email. */
  referrals: ({ email: string; affiliate: string } & Record<string, unknown>)[];
}

const LINK = { url: "https://example.com/?via=jane", code: "jane" };

/** In the documented list formats of the three services. */
export const EXPORTS = {
  promotekit: {
    files: {
      affiliates: [
        {
          id: "497f6eca-6276-4993-bfeb-53cbbbba6f08",
          email: "jane@example.com",
          first_name: "Jane",
          last_name: "Doe",
          payout_email: "jane-money@example.com",
          links: [LINK],
          promo_codes: [],
          clicks: 12,
          approved: true,
          banned: false,
          details: null,
          new_paid_referral_notifications: true,
          created_at: "2025-08-24T14:15:22Z",
        },
        {
          id: "497f6eca-6276-4993-bfeb-53cbbbba6f09",
          email: "ben@example.com",
          first_name: null,
          last_name: null,
          payout_email: null,
          links: [],
          promo_codes: [],
          clicks: 0,
          approved: false,
          banned: true,
          details: null,
          new_paid_referral_notifications: true,
          created_at: "2025-08-25T14:15:22Z",
        },
      ],
      referrals: [
        {
          id: "12f6d9a8-1111-4993-bfeb-53cbbbba6f01",
          email: "customer@example.com",
          subscription_status: "trialing",
          signup_date: "2025-09-01T09:00:00Z",
          stripe_customer_id: "cus_QX1",
          created_at: "2025-09-01T09:00:00Z",
          affiliate: { id: "497f6eca-6276-4993-bfeb-53cbbbba6f08", email: "jane@example.com" },
        },
        {
          id: "12f6d9a8-1111-4993-bfeb-53cbbbba6f02",
          email: "lead@example.com",
          subscription_status: "signed_up",
          signup_date: "2025-09-02T09:00:00Z",
          stripe_customer_id: null,
          created_at: "2025-09-02T09:00:00Z",
          affiliate: { id: "497f6eca-6276-4993-bfeb-53cbbbba6f08", email: "jane@example.com" },
        },
      ],
    },
    affiliates: [
      {
        email: "jane@example.com",
        payout_email: "jane-money@example.com",
        links: [LINK],
        approved: true,
        banned: false,
      },
      { email: "ben@example.com", first_name: "", payout_email: null, approved: false, banned: true },
    ],
    referrals: [
      {
        email: "customer@example.com",
        affiliate: "jane@example.com",
        processor_customer_id: "cus_QX1",
        subscription_status: "trialing",
      },
      {
        email: "lead@example.com",
        affiliate: "jane@example.com",
        processor_customer_id: null,
        subscription_status: "signed_up",
      },
    ],
  },
  rewardful: {
    files: {
      affiliates: [
        {
          id: "d0ed8392-8880-4f39-8715-60230f9eceab",
          first_name: "Jane",
          last_name: "Doe",
          email: "jane@example.com",
          paypal_email: "jane-money@example.com",
          state: "active",
          visitors: 100,
          leads: 42,
          conversions: 18,
          links: [{ id: "eb844960-6c42-4a3b-8009-f588a42d8506", url: LINK.url, token: "jane" }],
          coupon: null,
        },
        {
          id: "d0ed8392-8880-4f39-8715-60230f9eceac",
          first_name: "Ben",
          last_name: "Roe",
          email: "ben@example.com",
          paypal_email: null,
          state: "suspicious",
          visitors: 3,
          leads: 0,
          conversions: 0,
          links: [],
          coupon: null,
        },
      ],
      referrals: [
        {
          id: "e523da29-6157-4aac-b4b5-05b3b7b14fb6",
          conversion_state: "conversion",
          customer: { id: "cus_QX1", name: "Kim", email: "customer@example.com", platform: "stripe" },
          affiliate: { id: "d0ed8392-8880-4f39-8715-60230f9eceab", email: "jane@example.com" },
        },
        {
          id: "e523da29-6157-4aac-b4b5-05b3b7b14fb7",
          conversion_state: "lead",
          customer: { id: "cus_QX2", name: "Lee", email: "lead@example.com", platform: "stripe" },
          affiliate: { id: "d0ed8392-8880-4f39-8715-60230f9eceac", email: "ben@example.com" },
        },
        {
          id: "e523da29-6157-4aac-b4b5-05b3b7b14fb8",
          conversion_state: "visitor",
          customer: null,
          affiliate: { id: "d0ed8392-8880-4f39-8715-60230f9eceab", email: "jane@example.com" },
        },
      ],
    },
    affiliates: [
      { email: "jane@example.com", payout_email: "jane-money@example.com", links: [LINK], banned: false },
      { email: "ben@example.com", last_name: "Roe", payout_email: null, approved: true, banned: true },
    ],
    referrals: [
      {
        email: "customer@example.com",
        affiliate: "jane@example.com",
        processor_customer_id: "cus_QX1",
        subscription_status: "active",
      },
      {
        email: "lead@example.com",
        affiliate: "ben@example.com",
        processor_customer_id: "cus_QX2",
        subscription_status: "signed_up",
      },
    ],
  },
  tolt: {
    files: {
      partners: [
        {
          id: "part_s7mbzRGn46BhVgNFHD6fDgXW",
          first_name: "Jane",
          last_name: "Doe",
          email: "jane@example.com",
          company_name: null,
          payout_method: "paypal",
          payout_details: { email: "jane-money@example.com" },
          status: "active",
        },
        {
          id: "part_s7mbzRGn46BhVgNFHD6fDgXX",
          first_name: "Ben",
          last_name: "Roe",
          email: "ben@example.com",
          company_name: null,
          payout_method: "none",
          payout_details: {},
          status: "pending",
        },
      ],
      links: [
        { id: "lnk_1", param: "via", value: "jane", partner_id: "part_s7mbzRGn46BhVgNFHD6fDgXW" },
        { id: "lnk_2", param: "via", value: "jane-two", partner_id: "part_s7mbzRGn46BhVgNFHD6fDgXW" },
      ],
      customers: [
        {
          id: "cust_dK9bzRGn46BhVgNFHD6fDgXW",
          customer_id: "cus_QX1",
          email: "customer@example.com",
          status: "active",
          partner_id: "part_s7mbzRGn46BhVgNFHD6fDgXW",
        },
        {
          id: "cust_dK9bzRGn46BhVgNFHD6fDgXX",
          customer_id: "user_789",
          email: "lead@example.com",
          status: "lead",
          partner_id: "part_s7mbzRGn46BhVgNFHD6fDgXW",
        },
      ],
    },
    affiliates: [
      { email: "jane@example.com", payout_email: "jane-money@example.com", links: [LINK], approved: true },
      { email: "ben@example.com", payout_email: null, approved: false, banned: false },
    ],
    referrals: [
      {
        email: "customer@example.com",
        affiliate: "jane@example.com",
        processor_customer_id: "cus_QX1",
        subscription_status: "active",
      },
      {
        email: "lead@example.com",
        affiliate: "jane@example.com",
        processor_customer_id: null,
        subscription_status: "signed_up",
      },
    ],
  },
} satisfies Record<string, SampleExport>;

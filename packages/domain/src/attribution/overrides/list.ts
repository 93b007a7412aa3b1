import type { ListOverrides, Override } from "@findersfee/contract/attribution/overrides";
import type { Page } from "@findersfee/contract/pages";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import {
  countOverrides,
  findOverride,
  listOverrides as listRows,
} from "@findersfee/database/attribution/overrides";
import { findReferral } from "@findersfee/database/customers/referrals";
import type { Context } from "../../context.ts";
import { notFound, requireReferral } from "../../errors.ts";
import { readPage } from "../../pages.ts";
import { referralKeys } from "../facts/fact-names.ts";
import { viewOverride } from "./view.ts";

/** Overrides, the newest first. Errors: `not_found` (referral). */
export async function listOverrides(context: Context, query: ListOverrides): Promise<Page<Override>> {
  const { database, organization } = context;
  const customer_ids = query.referral_id === undefined ? null : await customersOf(context, query.referral_id);
  return await readPage(query, {
    read: (range) => listRows(database, organization.id, { customer_ids, range }),
    count: () => countOverrides(database, organization.id, customer_ids),
    view: viewOverride,
  });
}

/** Errors: `not_found`. */
export async function getOverride({ database, organization }: Context, id: string): Promise<Override> {
  const row = await findOverride(database, organization.id, id);
  if (row === null) throw notFound("override");
  return viewOverride(row);
}

async function customersOf({ database, organization }: Context, referral_id: string): Promise<string[]> {
  const referral = requireReferral(await findReferral(database, organization.id, referral_id));
  const known = await findCustomerKeys(database, organization.id, referralKeys(referral));
  return [...new Set(known.values())];
}

import { z } from "zod";
import { claimFields } from "../customers/claims.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";

const { payment_known: _, ...own_fields } = claimFields;

/**
 * An affiliate's own claim. It has nothing about other affiliates, or about the customer beyond the affiliate's words: whether a payment
 * is known would tell everybody who joins which addresses pay.
 */
export const portalClaimSchema = z.object(own_fields);

export type PortalClaim = z.infer<typeof portalClaimSchema>;

export const portalClaimPageSchema = rowPageOf(portalClaimSchema);

export const listPortalClaimsInput = z.strictObject(rowPageQuery);

export type ListPortalClaims = z.output<typeof listPortalClaimsInput>;

import { z } from "zod";
import { claimFields } from "../customers/claims.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";

/** An affiliate's own claim. It has nothing about other affiliates, or about the customer beyond the affiliate's words. */
export const portalClaimSchema = z.object(claimFields);

export type PortalClaim = z.infer<typeof portalClaimSchema>;

export const portalClaimPageSchema = rowPageOf(portalClaimSchema);

export const listPortalClaimsInput = z.strictObject(rowPageQuery);

export type ListPortalClaims = z.output<typeof listPortalClaimsInput>;

import { z } from "zod";
import { id, idInput, timestamp } from "../fields.ts";

/** A token that opens an affiliate's portal in a frame, once. */
export const portalTokenSchema = z
  .object({
    id: id.meta({ description: "Identifies the token in logs; it opens nothing." }),
    affiliate_id: id.meta({ description: "The affiliate that it opens the portal for." }),
    token: z.string().meta({
      description: "The secret. Give it only to the page in which the affiliate is signed in.",
      example: "3q2-7wAAbEt5U2ZkQ1p0c3RyaW5nLWV4YW1wbGUtMDE",
    }),
    expires_at: timestamp.meta({
      description:
        "When the token expires: two minutes after its creation. The session that it opens lasts an hour.",
    }),
    url: z.string().meta({
      description: "The address of the frame. It ends with the token after `#`, which browsers do not send.",
      example: "https://partners.example.com/portal/embed/acme#3q2-7wAAbEt5U2ZkQ1p0c3RyaW5nLWV4YW1wbGUtMDE",
    }),
  })
  .meta({ id: "PortalToken" });

export type PortalToken = z.infer<typeof portalTokenSchema>;

export const createPortalTokenInput = z
  .strictObject({
    affiliate_id: idInput.meta({ description: "The affiliate that the token opens the portal for." }),
  })
  .meta({ example: { affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" } });

export type CreatePortalToken = z.infer<typeof createPortalTokenInput>;

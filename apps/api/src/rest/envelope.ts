import { z } from "zod";

/**
 * REST's envelope around a procedure's output: a resource under `data`, a page next to `success`. Responses
 * and the OpenAPI document share `envelopeFor`, so they cannot differ.
 */
interface Envelope {
  /** The schema of the body. */
  schema: z.ZodType;
  wrap: (output: unknown) => object;
}

export function envelopeFor(output: z.ZodType): Envelope {
  const success = z.literal(true).meta({ description: "True for every success." });
  if (output instanceof z.ZodObject && "pagination" in output.shape) {
    return {
      schema: z.object({ success, ...output.shape }),
      wrap: (page) => ({ success: true, ...(page as object) }),
    };
  }
  const data = output.meta({ description: "The resource." });
  return { schema: z.object({ success, data }), wrap: (data) => ({ success: true, data }) };
}

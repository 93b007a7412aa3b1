import { z } from "zod";

/**
 * How REST wraps what a procedure answers: a resource under `data`, a page beside `success`. Requests and
 * the OpenAPI document use the same `envelopeFor`, so they cannot differ.
 */
interface Envelope {
  /** The schema of the body. */
  schema: z.ZodType;
  wrap: (output: unknown) => object;
}

export function envelopeFor(output: z.ZodType): Envelope {
  const success = z.literal(true).meta({ description: "True: the request did what it asked for." });
  if (output instanceof z.ZodObject && "pagination" in output.shape) {
    return {
      schema: z.object({ success, ...output.shape }),
      wrap: (page) => ({ success: true, ...(page as object) }),
    };
  }
  const data = output.meta({ description: "The resource." });
  return { schema: z.object({ success, data }), wrap: (data) => ({ success: true, data }) };
}

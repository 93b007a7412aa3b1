import type { Readable } from "node:stream";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Room for several hundred thousand payouts. */
export const FILE_BYTES = 64 * 1024 * 1024;

/** Makes CSV the only body that a scope takes, and leaves it to be read as it comes in. */
export function acceptFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("text/csv", (request, _payload, done) => {
    done(requireUncompressedUtf8(request) ? null : unsupported());
  });
  scope.addContentTypeParser("*", (_request, _payload, done) => done(unsupported()));
}

/** The bytes of a request's file, none of which is kept here. Errors: `payload_too_large`. */
export async function* fileOf({ raw, headers }: FastifyRequest, most_bytes: number): AsyncGenerator<Buffer> {
  if (Number(headers["content-length"]) > most_bytes) throw tooLarge(most_bytes);
  const stream: Readable = raw;
  let bytes = 0;
  try {
    // Whoever stops in the middle answers, and the answer goes by the connection that the rest still comes in by.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > most_bytes) throw tooLarge(most_bytes);
      yield chunk;
    }
  } finally {
    // Node throws away what is left of a body only if nobody began to read it.
    stream.resume();
  }
}

function requireUncompressedUtf8({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers["content-type"] ?? "")?.[1];
  const encoding = headers["content-encoding"] ?? "identity";
  return (charset === undefined || /^utf-?8$/i.test(charset)) && encoding.toLowerCase() === "identity";
}

function unsupported(): DomainError {
  return new DomainError("unsupported_media_type", {
    message: "Send the file as UTF-8 CSV, uncompressed, with Content-Type: text/csv.",
  });
}

function tooLarge(most_bytes: number): DomainError {
  const message = `The file is larger than ${most_bytes / 1024 / 1024} MiB.`;
  return new DomainError("payload_too_large", { message });
}

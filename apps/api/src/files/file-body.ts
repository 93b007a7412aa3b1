import type { Readable } from "node:stream";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Room for several hundred thousand payouts. */
export const FILE_BYTES = 64 * 1024 * 1024;

/** Makes CSV the only body that a scope accepts, and leaves it as a stream. */
export function acceptFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("text/csv", (request, _payload, done) => {
    done(requireUncompressedUtf8(request) ? null : unsupported());
  });
  scope.addContentTypeParser("*", (_request, _payload, done) => done(unsupported()));
}

/** Streams the bytes of a request's file without storing them. Errors: `payload_too_large`. */
export async function* fileOf({ raw, headers }: FastifyRequest, most_bytes: number): AsyncGenerator<Buffer> {
  if (Number(headers["content-length"]) > most_bytes) throw tooLarge(most_bytes);
  const stream: Readable = raw;
  let bytes = 0;
  try {
    // A handler that stops reading responds on the connection that still carries the rest of the body.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > most_bytes) throw tooLarge(most_bytes);
      yield chunk;
    }
  } finally {
    // Node discards the rest of a body only if nothing has started reading it.
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
    message: "Send the file as UTF-8 CSV, uncompressed, with the content type text/csv.",
  });
}

function tooLarge(most_bytes: number): DomainError {
  const message = `The file is larger than ${most_bytes / 1024 / 1024} MiB.`;
  return new DomainError("payload_too_large", { message });
}

import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file of the build, in every form in which it can be sent. */
export interface Asset {
  type: string;
  body: Buffer;
  /** Compressed by the build; texts only. */
  br: Buffer | null;
  gzip: Buffer | null;
}

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Reads the files of a folder by their names. Files of other types are not served. */
export async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const names = await readdir(folder);
  const read = async (name: string): Promise<Buffer | null> =>
    names.includes(name) ? await readFile(join(folder, name)) : null;
  const served = names.flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : { name, type };
  });
  const entries = served.map(async ({ name, type }): Promise<[string, Asset]> => {
    const [body, br, gzip] = [readFile(join(folder, name)), read(`${name}.br`), read(`${name}.gz`)];
    return [name, { type, body: await body, br: await br, gzip: await gzip }];
  });
  return new Map(await Promise.all(entries));
}

/** The smallest form that the client accepts (RFC 9110, 12.5.3). */
export function chooseEncoding(
  { body, br, gzip }: Asset,
  accept_encoding: string | undefined,
): { encoding: "br" | "gzip" | null; content: Buffer } {
  const accepted = new Set(
    (accept_encoding ?? "")
      .toLowerCase()
      .split(",")
      .map((coding) => coding.trim())
      .filter((coding) => !coding.endsWith(";q=0"))
      .map((coding) => coding.split(";")[0]),
  );
  if (br !== null && accepted.has("br")) return { encoding: "br", content: br };
  if (gzip !== null && accepted.has("gzip")) return { encoding: "gzip", content: gzip };
  return { encoding: null, content: body };
}

import { expect, it } from "vitest";
import { readText } from "./read-text.ts";

const TEXT = "email,name\njoerg@example.com,J\u00f6rg\nlast@example.com,\u0141";

it.each(["", "\ufeff"])("reads UTF-8 that begins with %j", async (start) => {
  expect(await readText(new Blob([`${start}${TEXT}`]))).toBe(TEXT);
});

it.each([
  ["Windows-1252", Buffer.from("email\na@example.com\nJ\u00f6rg\n", "latin1"), 3],
  ["Windows-1252 without a last line break", Buffer.from("email\nJ\u00f6rg", "latin1"), 2],
  ["UTF-16", Buffer.from("\ufeffemail\na@example.com", "utf16le"), 1],
  ["UTF-16 without a byte-order mark", Buffer.from("email\na@example.com", "utf16le"), 1],
])("names the first line of %s", async (_, bytes, wrong_line) => {
  expect(await readText(new Blob([new Uint8Array(bytes)]))).toEqual({ wrong_line });
});

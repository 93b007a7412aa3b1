import { inflateSync } from "node:zlib";

/* Reads the PDF files of Chromium, as far as tests need them: pages, and their text. */

/** The text of each page, in the order in which it is drawn. */
export function readPdf(file: Buffer): string[] {
  const objects = readObjects(file);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return pages.map(({ head }) => {
    const fonts = new Map<string, Map<number, string>>();
    const resources = /\/Font <<(.*?)>>/s.exec(head)?.[1] ?? "";
    for (const [, name = "", id = ""] of resources.matchAll(/\/(\S+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? "")?.[1];
      fonts.set(name, readCharacters(objects.get(map ?? "")?.stream ?? ""));
    }
    const contents = /\/Contents (\d+) 0 R/.exec(head)?.[1];
    return textOf(objects.get(contents ?? "")?.stream ?? "", fonts);
  });
}

interface PdfObject {
  head: string;
  stream: string;
}

function readObjects(file: Buffer): Map<string, PdfObject> {
  const text = file.toString("latin1");
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/^(\d+) 0 obj\n(.*?)(?:\nendobj|stream\n)/gms)) {
    const [whole, id = "", head = ""] = match;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const start = match.index + whole.length;
    const bytes = file.subarray(start, start + length);
    const stream = !whole.endsWith("stream\n")
      ? ""
      : (head.includes("/FlateDecode") ? inflateSync(bytes) : bytes).toString("latin1");
    objects.set(id, { head, stream });
  }
  return objects;
}

/** The characters of a font's glyphs, from its map. */
function readCharacters(map: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, part = ""] of map.matchAll(/beginbfchar\n(.*?)endbfchar/gs)) {
    for (const [, glyph = "", code = ""] of part.matchAll(/<(\w+)> <(\w+)>/g)) {
      characters.set(Number.parseInt(glyph, 16), decode(code));
    }
  }
  for (const [, part = ""] of map.matchAll(/beginbfrange\n(.*?)endbfrange/gs)) {
    for (const [, from = "", to = "", code = ""] of part.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const first = Number.parseInt(from, 16);
      for (let glyph = first; glyph <= Number.parseInt(to, 16); glyph++) {
        characters.set(glyph, String.fromCodePoint((decode(code).codePointAt(0) ?? 0) + glyph - first));
      }
    }
  }
  return characters;
}

function decode(code: string): string {
  return Buffer.from(code, "hex").swap16().toString("utf16le");
}

function textOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string {
  let font: ReadonlyMap<number, string> | undefined;
  let text = "";
  for (const [, name, glyphs] of content.matchAll(/\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]+)>(?=[^\n]*T[jJ])/g)) {
    if (name !== undefined) font = fonts.get(name);
    for (const [glyph] of (glyphs ?? "").matchAll(/.{4}/g))
      text += font?.get(Number.parseInt(glyph, 16)) ?? "";
  }
  return text;
}

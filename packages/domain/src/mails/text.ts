import type { Block, MailContent } from "./content.ts";
import { plainLine, plainLines } from "./plain.ts";

/** The signature separator: mail programs dim the text after it, and omit it from replies (RFC 3676, 4.3). */
const SIGNATURE = "-- \n";

/** A mail as plain text. */
export function mailText({ heading, blocks, footer }: MailContent): string {
  const parts = [plainLine(heading), ...blocks.map(blockText)];
  return `${parts.join("\n\n")}\n\n${SIGNATURE}${footer.map(blockText).join("\n\n")}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return plainLine(block.text);
    case "quote":
      return plainLines(block.text)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "facts":
      return block.facts.map(({ label, value }) => `${label}: ${plainLine(value)}`).join("\n");
    case "list":
      return block.items.map((item) => `- ${plainLine(item)}`).join("\n");
    case "link":
      return `${plainLine(block.label)}: ${plainLine(block.url)}`;
  }
}

import type { PaletteCommand } from "./items.ts";

/** The commands of which each typed word begins a word of the label or heading; all of them without a text. */
export function matchingCommands(commands: readonly PaletteCommand[], typed: string): PaletteCommand[] {
  const words = wordsOf(typed);
  return commands.filter(({ label, group }) => {
    const own = wordsOf(`${label} ${group}`);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

import type { PaletteCommand } from "./items.ts";

/**
 * The commands that match: each typed word begins a word of the label or heading. All commands without a
 * text.
 */
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

/** How well a row matches a text; lower is better. */
export const ranks = { equal: 0, beginning: 1, word: 2, inside: 3, related: 4 } as const;

export type Rank = (typeof ranks)[keyof typeof ranks];

/** A letter or digit right before a place means that no word begins there. */
const IN_WORD = /[\p{L}\p{N}]$/u;

/** The best rank of a row's texts for a text, both in lower case; `related`: none has it. */
export function rankOf(text: string, values: readonly (string | null)[]): Rank {
  let best: Rank = ranks.related;
  for (const value of values) {
    if (value === null) continue;
    const rank = rankIn(text, value);
    if (rank < best) best = rank;
  }
  return best;
}

function rankIn(text: string, value: string): Rank {
  if (value === text) return ranks.equal;
  let at = value.indexOf(text);
  if (at === -1) return ranks.related;
  if (at === 0) return ranks.beginning;
  for (; at !== -1; at = value.indexOf(text, at + 1)) {
    if (!IN_WORD.test(value.slice(0, at))) return ranks.word;
  }
  return ranks.inside;
}

/** What the script's own tag says. */
export interface Settings {
  /** The organization's publishable key. */
  key: string;
  /** The name of the query parameter that carries an affiliate's code. */
  parameter: string;
  respect_dnt: boolean;
  /** Where the script comes from: what it calls is beside it. */
  source: string;
}

/** Null: there is no tag with a key. Found by its key, so that another script may have made the tag. */
export function readSettings(): Settings | null {
  const tag = document.querySelector<HTMLScriptElement>('script[data-key^="ff_pk_"]');
  if (!tag) return null;
  const { key = "", param, respectDnt } = tag.dataset;
  return { key, parameter: param || "via", respect_dnt: respectDnt !== undefined, source: tag.src };
}

/** The settings in the script's own tag. */
export interface ScriptSettings {
  /** The organization's publishable key. */
  key: string;
  /** The query parameter that carries an affiliate's code. */
  parameter: string;
  respect_dnt: boolean;
  /** The URL of the script; its endpoints are relative to it. */
  source: string;
}

/** Null without a tag that has a key. Finds the tag by its key, since another script may have inserted it. */
export function readSettings(): ScriptSettings | null {
  const tag = document.querySelector<HTMLScriptElement>('script[data-key^="ff_pk_"]');
  if (!tag) return null;
  const { key = "", param, respectDnt } = tag.dataset;
  return { key, parameter: param || "via", respect_dnt: respectDnt !== undefined, source: tag.src };
}

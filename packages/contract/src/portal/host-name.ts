const MAX_LENGTH = 253;

/**
 * Whether a text is a host name of labels in lower case. The last label has a letter, unlike an IPv4
 * address's. Without zod.
 */
export function isHostName(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const labels = text.split(".");
  const are_labels = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return are_labels && labels.length >= 2 && /[a-z]/.test(labels.at(-1) ?? "");
}

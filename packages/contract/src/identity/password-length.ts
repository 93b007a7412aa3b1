/** Lengths of passwords, in characters. A browser can import them without the schemas. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 128;

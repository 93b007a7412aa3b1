/** Lengths of passwords, in characters. A browser can import them without the schemas. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

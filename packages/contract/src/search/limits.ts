/** The shortest text that a search takes, in characters. */
export const MIN_SEARCH_LENGTH = 2;

/** The kinds of answers to a campaign's own questions. */
export const answer_words = {
  text: "Short text",
  textarea: "Long text",
  select: "Single choice",
  multi_select: "Multiple choice",
};

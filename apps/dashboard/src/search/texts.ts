export const texts = {
  placeholder: "Name, email, domain, code, ID or page",
  failure: "The search failed. Change the text to try again.",
};

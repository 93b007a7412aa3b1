/** The texts of the banner. A code stands where `{code}` is. */
export interface BannerTexts {
  label: string;
  title: string;
  recommended_by: string;
  applied: string;
  to_enter: string;
  dismiss: string;
}

const english: BannerTexts = {
  label: "Discount",
  title: "You get a discount",
  recommended_by: "Recommended by {name}.",
  applied: "Code {code} is applied at checkout.",
  to_enter: "Enter code {code} at checkout.",
  dismiss: "Dismiss",
};

const german: BannerTexts = {
  label: "Rabatt",
  title: "Sie erhalten einen Rabatt",
  recommended_by: "Empfohlen von {name}.",
  applied: "Der Gutscheincode {code} wird beim Bezahlen angewendet.",
  to_enter: "Geben Sie beim Bezahlen den Gutscheincode {code} ein.",
  dismiss: "Schließen",
};

/** The texts in the language of a part of the page. */
export function textsIn(language: string): BannerTexts {
  return /^de\b/i.test(language) ? german : english;
}

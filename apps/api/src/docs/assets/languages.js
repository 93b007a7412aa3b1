/* The language of all samples, chosen at any of them and remembered. */

const root = document.documentElement;

show(root.dataset.language);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose]");
  if (button === null) return;
  // Samples differ in length: the one that is being read stays where it is.
  const top = button.getBoundingClientRect().top;
  show(button.dataset.choose);
  scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
  try {
    localStorage.setItem("findersfee-docs-language", button.dataset.choose);
  } catch {
    // Storage that a browser denies: the choice holds for this page.
  }
});

function show(language) {
  root.dataset.language = language;
  for (const button of document.querySelectorAll("[data-choose]")) {
    button.setAttribute("aria-pressed", String(button.dataset.choose === language));
  }
}

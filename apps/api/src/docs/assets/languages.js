/* The language of all samples, selected at any sample and stored. */

const root = document.documentElement;

show(root.dataset.language);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose]");
  if (button === null) return;
  // Samples differ in length: keep the current one in place.
  const top = button.getBoundingClientRect().top;
  show(button.dataset.choose);
  scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
  // biome-ignore lint/plugin/swallowed-failure: without storage access, the choice applies to this page only
  try {
    localStorage.setItem("findersfee-docs-language", button.dataset.choose);
  } catch {}
});

function show(language) {
  root.dataset.language = language;
  for (const button of document.querySelectorAll("[data-choose]")) {
    button.setAttribute("aria-pressed", String(button.dataset.choose === language));
  }
}

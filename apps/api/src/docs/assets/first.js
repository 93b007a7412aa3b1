/* Runs before the first paint, so that nothing moves when the rest of the scripts arrive. */

(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const language = localStorage.getItem("findersfee-docs-language");
    if (/^(sh|ts|python|php|go|ruby)$/.test(language ?? "")) root.dataset.language = language;
  } catch {
    // Storage that a browser denies remembers nothing: the samples begin with curl.
  }
})();

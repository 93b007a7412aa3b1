/* Runs before the first paint, so that nothing moves when the other scripts load. */

(() => {
  const root = document.documentElement;
  root.classList.add("js");
  // biome-ignore lint/plugin/swallowed-failure: without storage access, the samples default to curl
  try {
    const language = localStorage.getItem("findersfee-docs-language");
    if (/^(sh|ts|python|php|go|ruby)$/.test(language ?? "")) root.dataset.language = language;
  } catch {}
})();

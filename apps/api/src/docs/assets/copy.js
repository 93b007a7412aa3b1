/* The copy button of each code block. */

const SHOWN_MILLISECONDS = 2000;

const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.body.append(status);

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".copy");
  if (button === null) return;
  const code = button.parentElement.querySelector("pre");
  const label = (await copy(code)) ? "Copied" : "Press Ctrl+C";
  button.textContent = label;
  status.textContent = label;
  setTimeout(() => {
    button.textContent = "Copy";
    status.textContent = "";
  }, SHOWN_MILLISECONDS);
});

/** Browsers allow clipboard access only over TLS; otherwise this selects the code and copies the selection. */
async function copy(code) {
  // biome-ignore lint/plugin/swallowed-failure: browsers allow the clipboard only over TLS; otherwise the selection is copied
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand("copy");
  }
}

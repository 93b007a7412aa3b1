/* The button of each block of code. */

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

/** Browsers give pages the clipboard over TLS only; elsewhere the code is selected, and copied from there. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand("copy");
  }
}

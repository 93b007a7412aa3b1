/** Lines that are cut are parts of at most so many elements under the pointer. */
const MOST_PARENTS = 4;

/** Titles that were given here, which end when the text fits again. */
const titled = new WeakSet<HTMLElement>();

/** Gives texts that do not fit their place a title with all of them, once the pointer is on them. Other titles stay. */
export function titleCutTexts(document: Document): void {
  document.addEventListener("pointerover", ({ target }) => {
    let element = target instanceof Element ? target : null;
    for (let parent = 0; element !== null && parent <= MOST_PARENTS; parent++) {
      if (element instanceof HTMLElement && titleIfCut(element)) return;
      element = element.parentElement;
    }
  });
}

/** Whether the element needs no other title. */
function titleIfCut(element: HTMLElement): boolean {
  if (titled.delete(element)) element.removeAttribute("title");
  if (element.title !== "") return true;
  if (!isCut(element) || element.querySelector("[title]") !== null) return false;
  element.title = element.textContent.trim();
  titled.add(element);
  return true;
}

function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === "ellipsis") return element.scrollWidth > element.clientWidth;
  return webkitLineClamp !== "none" && element.scrollHeight > element.clientHeight;
}

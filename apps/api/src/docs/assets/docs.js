/* The pages' scripts. Without JavaScript, pages lose only search and buttons. */

import "./copy.js";
import "./languages.js";
import "./search.js";

// On narrow screens the open navigation would cover the linked section.
document.querySelector("#pages").addEventListener("click", (event) => {
  if (event.target.closest("a") !== null) event.currentTarget.hidePopover?.();
});

// The current page's entry may be scrolled out of view.
document.querySelector("#pages [aria-current]")?.scrollIntoView({ block: "nearest" });

followHeadings(document.querySelector(".contents-beside"));

/** Highlights the link of the heading in view. */
function followHeadings(contents) {
  if (contents === null) return;
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(decodeURIComponent(id)));
  const mark = () => {
    const passed = headings.filter(
      (heading) => heading !== null && heading.getBoundingClientRect().top < 120,
    );
    const current = (passed.at(-1) ?? headings[0])?.id;
    for (const [id, link] of links) {
      if (decodeURIComponent(id) === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

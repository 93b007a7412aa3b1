/* The pages' scripts. Without JavaScript a page loses its search and its buttons, not its content. */

import "./copy.js";
import "./languages.js";
import "./search.js";

// On a narrow screen the navigation lies over the page that one of its links leads to.
document.querySelector("#pages").addEventListener("click", (event) => {
  if (event.target.closest("a") !== null) event.currentTarget.hidePopover?.();
});

// The current page's entry may be below the edge of the navigation.
document.querySelector("#pages [aria-current]")?.scrollIntoView({ block: "nearest" });

followHeadings(document.querySelector(".contents-beside"));

/** Marks the link of the heading that is being read. */
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

import { type BrowserLocationHook, useBrowserLocation } from "wouter/use-browser-location";

/** What the page around the frame chose, in the frame's first address. */
const CHOSEN = [...new URLSearchParams(window.location.search)].filter(([name]) =>
  ["lang", "theme"].includes(name),
);

/** The location of a frame. Each address names the language and the theme, so that a frame that is loaded alone again keeps them. */
export const useFrameLocation: BrowserLocationHook = (options) => {
  const [path, navigate] = useBrowserLocation(options);
  return [path, (to, how) => navigate(withChosen(to.toString()), how)];
};

function withChosen(address: string): string {
  const [path, query] = address.split("?");
  const parameters = new URLSearchParams(query);
  for (const [name, value] of CHOSEN) parameters.set(name, value);
  return parameters.size === 0 ? address : `${path}?${parameters}`;
}

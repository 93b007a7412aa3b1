import { domains } from "./settings.ts";

/** Adds parameters to a link to another page of this host, or to one of the organization's other domains. */
export type AddParameters = (add: (name: string, value: string) => void, is_own_host: boolean) => void;

/** Adds parameters to the links that the visitor follows. Links within the page stay. */
export function carryInLinks(addParameters: AddParameters): void {
  const carry = ({ target }: Event) => {
    const link = (target as Partial<Element>).closest?.<HTMLAnchorElement>("a[href]");
    if (!link) return;
    const is_own_host = link.host === location.host;
    const is_other = domains.some((domain) => `.${link.hostname}`.endsWith(`.${domain}`));
    if (is_own_host ? link.pathname === location.pathname : !is_other) return;
    addParameters((name, value) => {
      const parameters = new URLSearchParams(link.search);
      parameters.set(name, value);
      link.search = String(parameters);
    }, is_own_host);
  };
  // Any button of the mouse, which can open the link in a new tab, too, and the keyboard.
  addEventListener("mousedown", carry, true);
  addEventListener("click", carry, true);
}

import { getDomain } from "tldts";

/** The kind of a mail domain. `free`: anybody can have an address there. */
export type DomainKind = "free" | "disposable" | "other";

/** The kind of a mail domain, and the domain that somebody registered. */
export type DomainLookup = (domain: string) => readonly [kind: DomainKind, registered: string];

let loading: Promise<DomainLookup> | undefined;

/** Loads the lists of mail providers, which only processes with signals need. */
export function loadEmailDomains(): Promise<DomainLookup> {
  loading ??= readLists();
  return loading;
}

async function readLists(): Promise<DomainLookup> {
  const [{ disposableEmailBlocklistSet }, { default: providers }] = await Promise.all([
    import("disposable-email-domains-js"),
    import("email-providers/all.json", { with: { type: "json" } }),
  ]);
  const disposable = disposableEmailBlocklistSet();
  const free = new Set<string>(providers);
  return (domain) => {
    const registered = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
    const isOf = (list: ReadonlySet<string>) => list.has(domain) || list.has(registered);
    if (isOf(disposable)) return ["disposable", registered];
    return [isOf(free) ? "free" : "other", registered];
  };
}

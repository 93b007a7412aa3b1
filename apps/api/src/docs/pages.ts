/** A document as a page of its own under `/docs/`. */
export interface Page {
  /** Its address below `/docs/`; the start page's is empty. */
  slug: string;
  title: string;
  /** The Markdown file, by its path in the repository: what other documents link to. */
  source: string;
}

interface PageGroup {
  name: string;
  pages: readonly Page[];
}

/** All pages as the navigation lists them. */
export const page_groups: readonly PageGroup[] = [
  {
    name: "Begin",
    pages: [
      { slug: "", title: "Overview", source: "docs/README.md" },
      { slug: "quick-start", title: "Quick start", source: "docs/quick-start.md" },
      { slug: "rest", title: "REST from any language", source: "docs/rest.md" },
      { slug: "concepts", title: "Concepts", source: "docs/concepts.md" },
    ],
  },
  {
    name: "Build",
    pages: [
      { slug: "sdk", title: "SDK", source: "packages/sdk/README.md" },
      { slug: "tracking", title: "Tracking", source: "docs/tracking.md" },
      { slug: "webhooks", title: "Webhooks", source: "docs/webhooks.md" },
      { slug: "processors", title: "Payment processors", source: "docs/processors.md" },
      { slug: "payouts", title: "Payouts", source: "docs/payouts.md" },
      { slug: "errors", title: "Errors", source: "docs/errors.md" },
      { slug: "pagination", title: "Pagination", source: "docs/pagination.md" },
      { slug: "idempotency", title: "Idempotency", source: "docs/idempotency.md" },
    ],
  },
  {
    name: "Operate",
    pages: [
      { slug: "self-hosting", title: "Self-hosting", source: "docs/self-hosting.md" },
      { slug: "security", title: "Security", source: "docs/security.md" },
      { slug: "decisions", title: "Decisions", source: "docs/decisions.md" },
    ],
  },
];

/** In the order in which they are read. */
export const pages: readonly Page[] = page_groups.flatMap((group) => group.pages);

/** Where the reference of all operations is, below `/docs/`. */
export const REFERENCE = "reference";

/** A page's address as other pages link to it: all are in one folder, so it works behind any path prefix. */
export function addressOf({ slug }: Page): string {
  return slug === "" ? "./" : slug;
}

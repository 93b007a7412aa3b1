import { tags } from "../openapi/introduction.ts";

/** An entry of the navigation: a page under `/docs/`. */
export interface Entry {
  /** The address below `/docs/`; empty for the start page. */
  slug: string;
  title: string;
  /** A shorter name for the navigation. */
  label?: string;
  /** A one-line summary for search engines and `llms.txt`. */
  summary: string;
}

/** A page with a document. */
export interface DocsPage extends Entry {
  /** The Markdown file, by its path in the repository, as other documents link to it. */
  source: string;
}

interface PageGroup {
  name: string;
  pages: readonly DocsPage[];
}

/** All documents in the order of the navigation. */
export const page_groups: readonly PageGroup[] = [
  {
    name: "Get started",
    pages: [
      {
        slug: "",
        title: "Overview",
        summary: "What Findersfee does and where to start.",
        source: "docs/README.md",
      },
      {
        slug: "quick-start",
        title: "Quick start",
        summary: "From an empty folder to a first commission and a verified webhook.",
        source: "docs/quick-start.md",
      },
      {
        slug: "rest",
        title: "REST from any language",
        summary: "Complete programs in curl, Python, PHP, Go and Ruby.",
        source: "docs/rest.md",
      },
      {
        slug: "concepts",
        title: "Concepts",
        summary: "Campaigns, attribution, commission amounts, refunds, and payment decisions.",
        source: "docs/concepts.md",
      },
      {
        slug: "backtest",
        title: "Backtest",
        summary: "The cost of changed rules or rates on past payments.",
        source: "docs/backtest.md",
      },
      {
        slug: "glossary",
        title: "Glossary",
        summary: "The terms of the API and the documentation, one sentence each.",
        source: "docs/glossary.md",
      },
    ],
  },
  {
    name: "Build",
    pages: [
      {
        slug: "sdk",
        title: "SDK",
        summary: "The typed client for TypeScript and JavaScript, and webhook verification.",
        source: "packages/sdk/README.md",
      },
      {
        slug: "tracking",
        title: "Tracking",
        summary: "Clicks and sign-ups, from the browser or from a backend.",
        source: "docs/tracking.md",
      },
      {
        slug: "embedding",
        title: "Embed the portal",
        summary: "The affiliates' portal in a frame of your own product.",
        source: "docs/embedding.md",
      },
      {
        slug: "webhooks",
        title: "Webhooks",
        summary: "Endpoints, signatures, retries, and secret rotation.",
        source: "docs/webhooks.md",
      },
      {
        slug: "processors",
        title: "Payment processors",
        summary: "Commissions from Stripe or from any other payment processor.",
        source: "docs/processors.md",
      },
      {
        slug: "payouts",
        title: "Payouts",
        summary: "Payout runs, provider files, the ledger, and balances.",
        source: "docs/payouts.md",
      },
      {
        slug: "recipes",
        title: "Recipes for commissions",
        summary: "Rates and rules of common programs, each with the earnings of its payments.",
        source: "docs/recipes.md",
      },
      {
        slug: "currencies",
        title: "Currencies",
        summary: "Fixed commissions in other currencies, and the reference exchange rates for them.",
        source: "docs/currencies.md",
      },
      {
        slug: "errors",
        title: "Errors",
        summary: "Every error code, its status, and how to handle it.",
        source: "docs/errors.md",
      },
      {
        slug: "pagination",
        title: "Pagination",
        summary: "Pages, cursors, and the events feed.",
        source: "docs/pagination.md",
      },
      {
        slug: "idempotency",
        title: "Idempotency",
        summary: "How to send a request again safely.",
        source: "docs/idempotency.md",
      },
      {
        slug: "migrating",
        title: "Migrating from PromoteKit, Rewardful, Tolt",
        label: "Migrating",
        summary: "Names, amounts, statuses and webhooks that differ, and a program that imports your data.",
        source: "docs/migrating.md",
      },
    ],
  },
  {
    name: "Operate",
    pages: [
      {
        slug: "installing",
        title: "Install",
        summary:
          "The command by npm, pnpm or Yarn, with or without its Postgres, and as a service of systemd.",
        source: "docs/installing.md",
      },
      {
        slug: "self-hosting",
        title: "Self-hosting",
        summary: "Environment variables, Postgres, reverse proxies, and metrics.",
        source: "docs/self-hosting.md",
      },
      {
        slug: "read-replicas",
        title: "Read replicas",
        summary: "Standbys of Postgres that answer reads, and the effects when they are late or gone.",
        source: "docs/read-replicas.md",
      },
      {
        slug: "containers",
        title: "Containers",
        summary: "An image, a compose file with Postgres and PgBouncer, and a Helm chart.",
        source: "docs/containers.md",
      },
      {
        slug: "backups",
        title: "Backups and restores",
        summary: "pg_dump, pgBackRest, restores to a point in time, and the events that a restore lost.",
        source: "docs/backups.md",
      },
      {
        slug: "high-availability",
        title: "High availability",
        summary: "Three Postgres machines under Patroni, two of the service, and a drill of their failures.",
        source: "docs/high-availability.md",
      },
      {
        slug: "runbook",
        title: "Runbook",
        summary: "The meaning of each alert, and the next steps.",
        source: "docs/runbook.md",
      },
      {
        slug: "single-sign-on",
        title: "Single sign-on",
        summary: "Sign-in at an OpenID Connect provider, roles, required use, and the way back.",
        source: "docs/single-sign-on.md",
      },
      {
        slug: "totals",
        title: "Totals",
        summary: "The totals of the dashboard's overview, and how they stay exact.",
        source: "docs/totals.md",
      },
      {
        slug: "security",
        title: "Security",
        summary: "Keys, secrets, webhooks, and the service's limits.",
        source: "docs/security.md",
      },
      {
        slug: "audit-log",
        title: "Audit log",
        summary: "Collecting changes and security events in a SIEM, by cursor.",
        source: "docs/audit-log.md",
      },
      {
        slug: "decisions",
        title: "Decisions",
        summary: "Design decisions that the API's specification leaves open.",
        source: "docs/decisions.md",
      },
    ],
  },
];

/** In reading order. */
export const pages: readonly DocsPage[] = page_groups.flatMap((group) => group.pages);

/** The start of the reference, below `/docs/`; its other pages are in the folder of this name. */
export const REFERENCE = "reference";

/** The pages of the reference: an introduction, a page per resource, and the webhook events. */
export const reference_pages: readonly Entry[] = [
  {
    slug: REFERENCE,
    title: "API reference",
    label: "Introduction",
    summary: "Authentication, requests, responses, and all operations.",
  },
  ...tags.map(({ name, description }) => ({ slug: referenceSlug(name), title: name, summary: description })),
  {
    slug: referenceSlug("Webhook events"),
    title: "Webhook events",
    summary: "The events that the service sends, and their bodies.",
  },
];

/** The address of a reference page: `Campaigns` is at `reference/campaigns`. */
export function referenceSlug(title: string): string {
  return `${REFERENCE}/${title.toLowerCase().replaceAll(" ", "-")}`;
}

/** A page's address as linked from pages in the same folder, so that it works behind any path prefix. */
export function addressOf({ slug }: { slug: string }): string {
  return slug === "" ? "./" : slug;
}

/** The address of `/docs/` from a page: `./`, or `../` for each folder that the page is in. */
export function rootFrom(slug: string): string {
  return "../".repeat(slug.split("/").length - 1) || "./";
}

/** The address of a page's Markdown, below `/docs/`. */
export function markdownName(slug: string): string {
  return `${slug === "" ? "index" : slug}.md`;
}

import { type Entry, markdownName, page_groups, reference_pages } from "./pages.ts";

/**
 * The index for language models (llmstxt.org): every page with the address of its Markdown. `base` is the
 * address of `/docs/`, or empty for addresses relative to it.
 */
export function llmsIndex(base: string): string {
  const groups = [...page_groups, { name: "API reference", pages: reference_pages }];
  const sections = groups.map(
    ({ name, pages }) => `## ${name}\n\n${pages.map((page) => line(page, base)).join("\n")}`,
  );
  return `# Findersfee

> Findersfee runs an organization's affiliate program: campaigns, affiliates, referrals, commissions, payouts, and
> signed webhooks. It serves a REST API under \`/v1\` and a typed SDK for TypeScript.

Every page of the documentation is also served as Markdown. Requests carry \`Authorization: Bearer <API key>\`; amounts
are JSON numbers in major units (\`20\` is $20.00).

${sections.join("\n\n")}

## Optional

- [OpenAPI 3.1 document](${base}../v1/openapi.json): every operation, field and error for machines
`;
}

function line({ slug, title, summary }: Entry, base: string): string {
  return `- [${title}](${base}${markdownName(slug)}): ${summary}`;
}

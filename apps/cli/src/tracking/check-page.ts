import { isOnSite } from "@findersfee/domain/tracking/site";
import { type Fetched, FetchProblem, fetchBounded } from "./bounded-fetch.ts";
import { blockingDirective, type Load, type Policy, readPolicies } from "./content-policy.ts";
import { readTags, type Tag } from "./page-tags.ts";

/** The result of one check. */
export interface CheckResult {
  check:
    | "page"
    | "script"
    | "address"
    | "first-party"
    | "policy"
    | "consent"
    | "domain"
    | "click"
    | "checkout";
  /** `error`: tracking does not work. `warning`: it may not, or not for everybody. */
  state: "ok" | "warning" | "error";
  message: string;
  /** The next step; null: none. */
  to_do: string | null;
}

/** No affiliate has it: codes have no more than 64 characters, and affiliates do not choose this one. */
export const TEST_CODE = "findersfee-track-test-nobody-has-this-code";

const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 findersfee-track-test";

/** Checks whether tracking works on a live page. Nothing is counted for an affiliate. */
export async function checkPage(address: string): Promise<CheckResult[]> {
  const page = await tryFetch(address, { headers: { "user-agent": USER_AGENT, accept: "text/html" } });
  if (page instanceof FetchProblem)
    return [error("page", `${address}: ${page.message}`, "Check the address.")];
  if (page.status !== 200) {
    return [
      error(
        "page",
        `${page.url} answers with status ${page.status}.`,
        "Check a page that visitors can open.",
      ),
    ];
  }
  const tags = readTags(page.text);
  const opened = ok(
    "page",
    page.url === address ? `${address} answers.` : `${address} leads to ${page.url}.`,
  );
  const script = tags.find(isOfScript);
  const source = script === undefined ? null : sourceOf(script, page.url);
  if (script === undefined || source === null) return [opened, withoutScript(tags), checkCheckout(tags)];
  const key = script.attributes.get("data-key") ?? "";
  return [
    opened,
    checkScript(tags, { key, source }),
    await checkAddress(source),
    checkSite(page.url, source),
    checkPolicies(page, { tags, script, source }),
    checkConsent(script),
    ...(await checkClick({ page: page.url, source, key })),
    checkCheckout(tags),
  ];
}

const ok = (check: CheckResult["check"], message: string): CheckResult => ({
  check,
  state: "ok",
  message,
  to_do: null,
});

const warning = (check: CheckResult["check"], message: string, to_do: string): CheckResult => ({
  check,
  state: "warning",
  message,
  to_do,
});

const error = (check: CheckResult["check"], message: string, to_do: string): CheckResult => ({
  check,
  state: "error",
  message,
  to_do,
});

async function tryFetch(address: string, init: RequestInit): Promise<Fetched | FetchProblem> {
  try {
    return await fetchBounded(address, init);
  } catch (problem) {
    if (problem instanceof FetchProblem) return problem;
    throw problem;
  }
}

/** As the script finds its own tag. */
function isOfScript({ name, attributes }: Tag): boolean {
  return name === "script" && (attributes.get("data-key") ?? "").startsWith("ff_pk_");
}

function sourceOf({ attributes }: Tag, page: string): string | null {
  const source = attributes.get("src") ?? "";
  return source !== "" && URL.canParse(source, page) ? new URL(source, page).href : null;
}

function withoutScript(tags: readonly Tag[]): CheckResult {
  const isOurs = ({ name, attributes }: Tag) =>
    name === "script" && /\/tracker\.js$/.test(attributes.get("src") ?? "");
  if (tags.some(isOurs)) {
    return error("script", "The script has no publishable key.", 'Add data-key="ff_pk_…" to its element.');
  }
  if (tags.some(isTagManager)) {
    return error(
      "script",
      "The page's HTML has no script. A tag manager may add it, which this check does not run.",
      "Put both elements into the head of the page: a tag manager adds them too late for some visitors.",
    );
  }
  return error(
    "script",
    "The page's HTML has no script.",
    "Add both elements to the head, as in the documentation.",
  );
}

function isTagManager({ name, attributes, text }: Tag): boolean {
  return (
    name === "script" &&
    /googletagmanager\.com|cdn\.segment\.com/.test(`${attributes.get("src") ?? ""}${text}`)
  );
}

function checkScript(tags: readonly Tag[], { key, source }: { key: string; source: string }): CheckResult {
  const found = `The script is at ${source}, with the key …${key.slice(-4)}`;
  const others = tags.filter(isOfScript).length - 1;
  if (others > 0) {
    return warning(
      "script",
      `${found}, and ${others + 1} times in the page.`,
      "Remove the others: the first one counts.",
    );
  }
  return hasSnippet(tags)
    ? ok("script", `${found}, with the snippet before it.`)
    : warning(
        "script",
        `${found}, without the snippet.`,
        "Add the snippet before it, so that sign-ups are not lost.",
      );
}

const hasSnippet = (tags: readonly Tag[]): boolean => tags.some(isSnippet);

function isSnippet({ name, attributes, text }: Tag): boolean {
  return name === "script" && !attributes.has("src") && text.includes("window.findersfee=");
}

async function checkAddress(source: string): Promise<CheckResult> {
  const script = await tryFetch(source, { headers: { "user-agent": USER_AGENT } });
  const to_do = "Check the address of the script, and the proxy before the service.";
  if (script instanceof FetchProblem) return error("address", `${source}: ${script.message}`, to_do);
  if (script.status !== 200)
    return error("address", `${source} answers with status ${script.status}.`, to_do);
  if (!script.text.includes("findersfee_click")) {
    return error("address", `${source} answers with something other than the script.`, to_do);
  }
  const version = script.headers.get("etag");
  return ok("address", `${source} answers with the script${version === null ? "" : `, version ${version}`}.`);
}

/** Browsers shorten the life of cookies that scripts set; the answers of an address on the page's own site set them. */
function checkSite(page: string, source: string): CheckResult {
  const service = new URL(source).hostname;
  if (isOnSite(new URL(page).origin, source)) {
    return ok("first-party", `${service} is on the page's site, so the service sets the cookie.`);
  }
  return warning(
    "first-party",
    `${service} is not on the page's site, so the script sets the cookie, which Safari deletes after 7 days.`,
    "Use a custom link domain, or a reverse proxy on your site.",
  );
}

interface Scripted {
  tags: readonly Tag[];
  script: Tag;
  source: string;
}

function checkPolicies(page: Fetched, { tags, script, source }: Scripted): CheckResult {
  const policies = policiesOf(page, tags);
  if (policies.length === 0) return ok("policy", "The page has no Content-Security-Policy.");
  const nonceOf = ({ attributes }: Tag) => attributes.get("nonce") ?? null;
  const snippet = tags.find(isSnippet);
  const loads: { load: Load; to_do: string }[] = [
    {
      load: { kind: "script", url: source, nonce: nonceOf(script) },
      to_do: `Add ${new URL(source).origin} to it.`,
    },
    {
      load: { kind: "request", url: new URL("track/click", source).href },
      to_do: `Add ${new URL(source).origin} to it.`,
    },
    ...(snippet === undefined
      ? []
      : [
          {
            load: { kind: "inline" as const, code: snippet.text, nonce: nonceOf(snippet) },
            to_do: "Add a nonce to the snippet, or its hash to the policy.",
          },
        ]),
  ];
  for (const { load, to_do } of loads) {
    const directive = blockingDirective(policies, page.url, load);
    if (directive === null) continue;
    const what = { script: "the script", request: "the script's requests", inline: "the snippet" }[load.kind];
    return error(
      "policy",
      `The Content-Security-Policy blocks ${what} by its directive ${directive}.`,
      to_do,
    );
  }
  return ok("policy", "The Content-Security-Policy allows the script and its requests.");
}

function policiesOf({ headers }: Fetched, tags: readonly Tag[]): Policy[] {
  const metas = tags.filter(
    ({ name, attributes }) =>
      name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "content-security-policy",
  );
  return [
    ...readPolicies(headers.get("content-security-policy") ?? ""),
    ...metas.flatMap(({ attributes }) => readPolicies(attributes.get("content") ?? "")),
  ];
}

function checkConsent({ attributes }: Tag): CheckResult {
  const objects = attributes.has("data-respect-dnt") ? " Visitors with Do Not Track are not tracked." : "";
  const consent = attributes.get("data-consent");
  if (consent === undefined) {
    return ok("consent", `The script tracks without asking for consent.${objects}`);
  }
  const message = `The script waits for findersfee.consent(true).${objects}`;
  return consent === "wait"
    ? ok("consent", message)
    : warning(
        "consent",
        `${message} data-consent has the value “${consent.slice(0, 50)}”.`,
        "Set it to “wait”.",
      );
}

interface Tracked {
  page: string;
  source: string;
  key: string;
}

/** Sends a click with a code that nobody has: the answer `not_found` shows that a real one comes through. */
async function checkClick({ page, source, key }: Tracked): Promise<CheckResult[]> {
  const { origin, host } = new URL(page);
  const answer = await tryFetch(new URL("track/click", source).href, {
    method: "POST",
    headers: { "user-agent": USER_AGENT, "content-type": "text/plain", origin },
    body: JSON.stringify({ key, code: TEST_CODE, url: page.slice(0, 500) }),
  });
  if (answer instanceof FetchProblem) {
    return [
      error("click", answer.message, "Check the proxy before the service: it has to pass /track/… on."),
    ];
  }
  const reason = reasonOf(answer);
  switch (reason) {
    case "not_found":
      return [
        ok("domain", `Pages on ${host} can track.`),
        ok("click", `A click gets through: the service answers that nobody has the test code (${reason}).`),
      ];
    case "insufficient_scope":
      return [
        error(
          "domain",
          `Pages on ${host} cannot track: it is neither on a campaign's website nor in website_domains (${reason}).`,
          "Add the domain under Other domains in the settings of the organization.",
        ),
      ];
    case "unauthorized":
      return [
        error(
          "click",
          `The service does not know the key …${key.slice(-4)} (${reason}).`,
          "Use the organization's publishable key, and the address of the same service.",
        ),
      ];
    case "rate_limited":
      return [error("click", `The service limits this address (${reason}).`, "Try again in a minute.")];
    default:
      return [
        error(
          "click",
          `The service answers with status ${answer.status}${reason === null ? "" : ` (${reason})`}.`,
          "Check the proxy before the service: it has to pass /track/… on as it is.",
        ),
      ];
  }
}

/** The code of an error of the service; null: another answer. */
function reasonOf({ text }: Fetched): string | null {
  // biome-ignore lint/plugin/swallowed-failure: an answer of somebody else, which the status describes
  try {
    const { error: object } = JSON.parse(text) as { error?: { code?: unknown } };
    return typeof object?.code === "string" ? object.code : null;
  } catch {
    return null;
  }
}

const STRIPE_ELEMENTS: ReadonlySet<string> = new Set(["stripe-buy-button", "stripe-pricing-table"]);

function checkCheckout(tags: readonly Tag[]): CheckResult {
  const isLink = ({ name, attributes }: Tag) =>
    name === "a" &&
    ((attributes.get("href") ?? "").startsWith("https://buy.stripe.com/") ||
      attributes.has("data-findersfee-checkout"));
  const checkouts = tags.filter((tag) => STRIPE_ELEMENTS.has(tag.name) || isLink(tag));
  const own = checkouts.filter(
    ({ attributes }) =>
      (attributes.get("client-reference-id") ?? "") !== "" ||
      /[?&]client_reference_id=[^&]/.test(attributes.get("href") ?? ""),
  );
  if (own.length > 0) {
    return warning(
      "checkout",
      `Stripe checkouts with a client_reference_id of your own, which the script does not replace: ${own.length} of ${checkouts.length}.`,
      "Remove it, or report the sale's click by your backend.",
    );
  }
  if (checkouts.length > 0)
    return ok("checkout", `The script adds the click to the page's Stripe checkouts: ${checkouts.length}.`);
  const usesClick = tags.some(
    ({ name, text }) => name === "script" && /findersfee\??\.(clickId|ready|refer)/.test(text),
  );
  return usesClick
    ? ok("checkout", "The page's own code uses the click.")
    : ok(
        "checkout",
        "This page has no checkout of Stripe. Where your backend creates it, pass the click as client_reference_id.",
      );
}

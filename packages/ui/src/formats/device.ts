/** Names in a user agent, the most specific first: browsers also write the names of those that they are like. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\b/, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** A browser and its system, as in "Firefox on Linux"; null if the user agent names none that is known. `join` says both. */
export function deviceOf(
  user_agent: string | null,
  join = (browser: string, system: string) => `${browser} on ${system}`,
): string | null {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(user_agent ?? ""))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : join(browser, system);
}

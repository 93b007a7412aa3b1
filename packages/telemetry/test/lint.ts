import { spawnSync } from "node:child_process";

const PROMTOOL = spawnSync("promtool", ["--version"]).status === 0;

/**
 * The findings of Prometheus' own tool about metrics; if it is not installed, its rules about names and help.
 */
export function lintMetrics(text: string): string[] {
  return PROMTOOL ? askPromtool(text) : lintByRules(text);
}

function askPromtool(text: string): string[] {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
    input: text,
    encoding: "utf8",
  });
  return status === 0 ? [] : `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
}

const REDUCED = /_(bucket|count|sum)$/;
const UNITS = /_(milliseconds|minutes|hours|days|kilobytes|megabytes|percent)(_|$)/;

export function lintByRules(text: string): string[] {
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name = ""]) => name));
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  const problems: string[] = [];
  for (const [name, type] of types) {
    if (!helped.has(name)) problems.push(`${name} no help text`);
    if ((type === "counter") !== name.endsWith("_total"))
      problems.push(`${name} has the ending of another type`);
    if (REDUCED.test(name)) problems.push(`${name} has an ending of histograms`);
    if (UNITS.test(name)) problems.push(`${name} has no base unit`);
    if (!/^[a-z][a-z0-9_]*$/.test(name)) problems.push(`${name} is not in lower case`);
  }
  return problems;
}

/** The samples of Prometheus' text: `name{labels}` and its value. */
export function samplesOf(text: string): Map<string, number> {
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const end = line.lastIndexOf(" ");
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
  );
}

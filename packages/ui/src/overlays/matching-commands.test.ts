import { expect, it } from "vitest";
import { matchingCommands } from "./matching-commands.ts";

const COMMANDS = [
  { group: "Pages", label: "Affiliates" },
  { group: "Pages", label: "API keys" },
  { group: "Appearance", label: "Dark" },
].map((command) => ({ ...command, id: command.label, run: () => {} }));

it.each([
  ["", ["Affiliates", "API keys", "Dark"]],
  ["aff", ["Affiliates"]],
  ["KEY", ["API keys"]],
  ["keys api", ["API keys"]],
  ["pages", ["Affiliates", "API keys"]],
  ["app dark", ["Dark"]],
  ["liates", []],
  ["jane", []],
])("finds commands by the beginnings of their words: “%s”", (typed, labels) => {
  expect(matchingCommands(COMMANDS, typed).map(({ label }) => label)).toEqual(labels);
});

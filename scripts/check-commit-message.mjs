/*
 * Checks a commit message by the rules of docs/contributing/style.md, as Git's hook commit-msg: prints each problem, and exits with 1 if
 * there is one. Plain JavaScript, since a hook must work without installed packages.
 */
import { readFileSync } from "node:fs";

const SUBJECT_CHARACTERS = 72;
const BODY_CHARACTERS = 100;

/** Git writes these subjects, and removes the last ones in a rebase. */
const WRITTEN_BY_GIT = /^(Merge|Revert|Reapply|fixup!|squash!|amend!) /;

/** Git ignores lines that begin with `#`, and everything below this one. */
const SCISSORS = /^# -+ >8 -+$/;

/** Verbs that subjects of commits begin with, to recognize their other forms. */
const VERBS = [
  ...["add", "allow", "avoid", "check", "correct", "document", "explain", "fix", "limit", "list", "mend"],
  ...["prevent", "reject", "rework", "show", "sort", "start", "test", "wait"],
  ...[
    "change",
    "close",
    "delete",
    "enable",
    "ignore",
    "improve",
    "include",
    "make",
    "measure",
    "merge",
    "move",
  ],
  ...["rename", "remove", "replace", "reuse", "store", "update", "use", "write"],
  ...["drop", "split", "stop"],
];

const OTHER_FORMS = new Set(VERBS.flatMap(formsOf));

/** The forms in the third person, the past and the progressive: `adds`, `added`, `adding`. */
function formsOf(verb) {
  if (verb.endsWith("e")) return [`${verb}s`, `${verb}d`, `${verb.slice(0, -1)}ing`];
  if (/[xsz]$|[cs]h$/.test(verb)) return [`${verb}es`, `${verb}ed`, `${verb}ing`];
  const doubled = `${verb}${verb.at(-1)}`;
  return [`${verb}s`, `${verb}ed`, `${verb}ing`, `${doubled}ed`, `${doubled}ing`];
}

function subjectProblems(subject) {
  if (WRITTEN_BY_GIT.test(subject)) return [];
  const [verb = ""] = subject.match(/^\p{L}+/u) ?? [];
  return [
    subject.length > SUBJECT_CHARACTERS &&
      `The subject has ${subject.length} characters; at most ${SUBJECT_CHARACTERS} are shown everywhere.`,
    !/^\p{Lu}/u.test(subject) && "The subject must begin with a capital letter.",
    subject.endsWith(".") && "The subject must not end with a full stop.",
    OTHER_FORMS.has(verb.toLowerCase()) && `The subject must be imperative: "Add …", not "${verb} …".`,
    subject.includes(";") && "The subject names several changes: make a commit of each.",
  ].filter((problem) => problem !== false);
}

function bodyProblems([separator = "", ...body]) {
  const isTooLong = (line) => line.length > BODY_CHARACTERS && !line.includes("://");
  return [
    separator !== "" && "An empty line must follow the subject.",
    [separator, ...body].some(isTooLong) && `Wrap the body at ${BODY_CHARACTERS} characters.`,
  ].filter((problem) => problem !== false);
}

const lines = readFileSync(process.argv[2], "utf8").split(/\r?\n/);
const end = lines.findIndex((line) => SCISSORS.test(line));
const [subject = "", ...rest] = lines
  .slice(0, end < 0 ? lines.length : end)
  .filter((line) => !line.startsWith("#"))
  .map((line) => line.trimEnd());

// Git itself refuses an empty message.
const problems = subject === "" ? [] : [...subjectProblems(subject), ...bodyProblems(rest)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("docs/contributing/style.md has the rules for commits. `git commit --no-verify` skips them.");
  process.exitCode = 1;
}

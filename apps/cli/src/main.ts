#!/usr/bin/env tsx
// Nothing else may be imported here: what an older Node lacks would fail before a word is said.

/** As `engines` of package.json has it. */
const OLDEST = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  console.error(
    `error: Findersfee needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and this is ${process.versions.node}: https://nodejs.org has it.`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import("./run.ts");
  await run();
}

#!/usr/bin/env tsx
// No other imports here: on an old Node they would fail before the version check.

/** The same as `engines` in package.json. */
const OLDEST = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  console.error(
    `error: Findersfee needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is ${process.versions.node}. Download it from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import("./run.ts");
  await run();
}

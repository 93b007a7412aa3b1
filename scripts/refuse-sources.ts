/*
 * Runs before a package is published from its own folder. npm would publish the sources in that folder; pnpm,
 * used by `pnpm release`, publishes the build in `publishConfig.directory`.
 */
const publisher = process.env.npm_config_user_agent ?? "";

if (!publisher.startsWith("pnpm/")) {
  console.error(
    "error: This would publish the sources. Run `pnpm release` in the repository to publish the builds.",
  );
  process.exitCode = 1;
}

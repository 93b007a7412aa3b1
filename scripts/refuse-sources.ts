/*
 * Runs before a package is published from its own folder. npm would publish the sources that are in there;
 * pnpm, which `pnpm release` has do it, takes `publishConfig.directory`, where the build is.
 */
const publisher = process.env.npm_config_user_agent ?? "";

if (!publisher.startsWith("pnpm/")) {
  console.error(
    "error: This would publish the sources. `pnpm release`, in the repository, publishes the builds.",
  );
  process.exitCode = 1;
}

import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Test files that take more than 20 s on an idle machine. */
export const LONG_FILES = [
  "apps/dashboard/test/pictures.test.ts",
  // Waits for most of two minutes.
  "apps/worker/test/mails/mail.test.ts",
  "apps/cli/test/crashes/payouts.test.ts",
  "apps/cli/test/crashes/any-order.test.ts",
  "apps/cli/test/service/start.test.ts",
  "apps/cli/test/commands.test.ts",
  "apps/cli/test/demo.test.ts",
  "apps/worker/test/faults/restarts.test.ts",
  "apps/worker/test/faults/jobs.test.ts",
  "apps/worker/test/faults/deliveries.test.ts",
  "packages/sdk/test/package.test.ts",
  "examples/test/samples.test.ts",
  "apps/dashboard/test/webhooks/webhooks.test.ts",
  "packages/ui/test/gallery.test.ts",
  "apps/portal/test/home.test.ts",
  "apps/portal/test/join.test.ts",
  "apps/portal/test/walk.test.ts",
  "packages/domain/test/reports/totals/rebuild.test.ts",
  "apps/dashboard/test/drafts.test.ts",
  "apps/dashboard/test/organizations.test.ts",
  "apps/portal/test/settings.test.ts",
  "apps/portal/test/payouts.test.ts",
  "apps/dashboard/test/webhooks/deliveries.test.ts",
  "apps/dashboard/test/processors.test.ts",
  "apps/dashboard/test/walks.test.ts",
  "apps/dashboard/test/identity/people.test.ts",
  "apps/dashboard/test/payouts/payouts.test.ts",
  "apps/dashboard/test/identity/account.test.ts",
  "packages/database/test/postgres/time-limits.test.ts",
  "apps/worker/test/mails/sending.test.ts",
  "apps/cli/test/packaging/packed.test.ts",
  "packages/domain/test/identity/accounts/atomic.test.ts",
  "apps/worker/test/work/shards.test.ts",
  "apps/worker/test/faults/random.test.ts",
  "apps/worker/test/faults/silence.test.ts",
  "apps/api/test/openapi/regular-expressions.test.ts",
  "apps/api/test/service/outage.test.ts",
];

/**
 * Starts long files first, so that none of them runs alone at the end. Keeps the files of a project together: those
 * that share a process lose it, and import everything again, when a file of another project comes between them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = (file: TestSpecification) => [file.project.name, longRank(file.moduleId)] as const;
    return sorted.sort((a, b) => {
      const [projectA, rankA] = rank(a);
      const [projectB, rankB] = rank(b);
      return projectA.localeCompare(projectB) || rankA - rankB;
    });
  }
}

function longRank(file: string): number {
  const index = LONG_FILES.indexOf(relative(process.cwd(), file));
  return index === -1 ? LONG_FILES.length : index;
}

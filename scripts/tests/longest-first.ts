import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { secondsOfTests } from "./durations.ts";

/**
 * Starts long files first, so that none of them runs alone at the end. Keeps the files of a project together: those
 * that share a process lose it, and import everything again, when a file of another project comes between them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const root = this.ctx.config.root;
    const secondsOf = secondsOfTests(root);
    const seconds = new Map(sorted.map((file) => [file, secondsOf(relative(root, file.moduleId))]));
    return sorted.sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0),
    );
  }
}

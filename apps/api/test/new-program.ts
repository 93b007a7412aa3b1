import type { TestDatabaseOptions } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createProgram, type Program } from "./program.ts";
import { startTestService, type TestClient, type TestService } from "./test-service.ts";

interface NewProgram {
  service: TestService;
  program: Program;
  organization: TestClient;
}

/** Gives each test of a file a new program, in a service of the file. */
export function beforeEachInNewProgram(
  use: (made: NewProgram) => void | Promise<void>,
  options: TestDatabaseOptions = {},
): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, undefined, {}, options);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const program = await createProgram(service);
    await use({ service, program, organization: program.organization });
  });
}

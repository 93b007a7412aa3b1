import { expect } from "vitest";
import { answerOf, errorOf, type Input } from "../operations.ts";
import { type Program, storedRows } from "../program.ts";
import type { TestService } from "../test-service.ts";

export const READ_ONLY = "Read-only: leave it out, or send its current value.";
export const UPDATED = ["campaigns", "affiliates", "referrals", "commissions"] as const;
export type Resource = (typeof UPDATED)[number];

/** Reads and updates objects of a program. */
export class WholeObjects {
  readonly #service: TestService;
  readonly #program: Program;

  constructor(service: TestService, program: Program) {
    this.#service = service;
    this.#program = program;
  }

  /** The whole object, as a GET returns it. */
  async get(resource: Resource): Promise<Input> {
    const { organization, campaign, affiliate, referral, commission } = this.#program;
    const { id } = {
      campaigns: campaign,
      affiliates: affiliate,
      referrals: referral,
      commissions: commission,
    }[resource];
    return await answerOf(organization, `${resource}.get`, { id });
  }

  async put(resource: Resource, input: Input) {
    return await answerOf(this.#program.organization, `${resource}.update`, input);
  }

  /** The error of an update that changes nothing. */
  async refused(resource: Resource, input: Input) {
    const stored = await storedRows(this.#service.database);
    const error = await errorOf(this.#program.organization, `${resource}.update`, input);
    expect(await storedRows(this.#service.database)).toEqual(stored);
    return error;
  }

  async issuesOf(resource: Resource, input: Input) {
    const { code, issues } = await this.refused(resource, input);
    expect(code).toBe("invalid_request");
    return issues;
  }
}

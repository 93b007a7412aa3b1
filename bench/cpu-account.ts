/*
 * Question: what does a request cost, regardless of other load on the machine? The CPU time of each process
 * involved: other load halves rates or worse, but affects CPU times much less.
 */
import type { Measurement } from "./measurement.ts";
import { withConnection } from "./postgres-server.ts";
import { cpuSeconds, postgresCpuSeconds } from "./process-status.ts";

/** CPU time per request, in microseconds. NaN if unknown. */
export interface CpuCost {
  /** The process that sends the statements. */
  process: number;
  postgres: number;
  /** The load generator; 0 when the process generates its own load. */
  load: number;
}

/** Sums the CPU time of some rounds. */
export class CpuAccount {
  readonly #pid: number;
  readonly #database_url: string;
  readonly #seconds = { process: 0, postgres: 0, load: 0 };
  #requests = 0;

  constructor(pid: number, database_url: string) {
    this.#pid = pid;
    this.#database_url = database_url;
  }

  /** Runs a round. `driven`: the measuring process generated the load, not the measured one. */
  async count(driven: boolean, round: () => Promise<Measurement>): Promise<Measurement> {
    const before = await this.#read();
    const measurement = await round();
    const after = await this.#read();
    this.#seconds.process += after.process - before.process;
    this.#seconds.postgres += after.postgres - before.postgres;
    if (driven) this.#seconds.load += (measurement.own_cpu_microseconds * measurement.count) / 1e6;
    this.#requests += measurement.count;
    return measurement;
  }

  cost(): CpuCost {
    const each = (seconds: number) => (seconds / this.#requests) * 1e6;
    const { process, postgres, load } = this.#seconds;
    return { process: each(process), postgres: each(postgres), load: each(load) };
  }

  async #read(): Promise<{ process: number; postgres: number }> {
    return {
      process: (await cpuSeconds(this.#pid)) ?? Number.NaN,
      postgres: (await withConnection(this.#database_url, postgresCpuSeconds)) ?? Number.NaN,
    };
  }
}

import type { DatabaseTier } from "./database-tier.ts";
import { restore } from "./restore.ts";
import type { ServiceTier } from "./service-tier.ts";
import { pass } from "./wait.ts";

/** The `ttl` of deploy/ha/patroni.yml. */
const TTL_SECONDS = 20;
/** Until the lease of a machine that is gone ends, another one is promoted, and clients try again. */
const FAILOVER_SECONDS = TTL_SECONDS + 3;
/** The same, while connections to the former primary stay open and answer nothing. */
const SILENT_FAILOVER_SECONDS = TTL_SECONDS + 5;
/** Longer than the lease of the primary, and than its standby's promotion. */
const ABSENCE_MILLISECONDS = (TTL_SECONDS + 20) * 1000;
const FULL_SECONDS = 20;
/** As long as systemd waits, by deploy/systemd. */
const RESTART_MILLISECONDS = 2_000;

export interface Installation {
  database: DatabaseTier;
  service: ServiceTier;
}

export interface Failure {
  name: string;
  description: string;
  /** The longest time without an acknowledged change that is as it should be; null: no target. */
  gap_seconds: number | null;
  /** Whether clients may see errors. */
  may_fail: boolean;
  /** Causes the failure, and repairs the parts that do not repair themselves. */
  happen(installation: Installation): Promise<void>;
}

export const FAILURES: readonly Failure[] = [
  {
    name: "kill-primary",
    description: "power off the primary",
    gap_seconds: FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.machine.powerOff();
      await database.failover(primary);
      primary.start();
    },
  },
  {
    name: "pause-primary",
    description: `stop every process of the primary for ${ABSENCE_MILLISECONDS / 1000} s`,
    gap_seconds: SILENT_FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.machine.suspend();
      await Promise.all([database.failover(primary), pass(ABSENCE_MILLISECONDS)]);
      await primary.machine.resume();
    },
  },
  {
    name: "partition",
    description: `cut the primary off the network for ${ABSENCE_MILLISECONDS / 1000} s`,
    gap_seconds: SILENT_FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.machine.unplug();
      await Promise.all([database.failover(primary), pass(ABSENCE_MILLISECONDS)]);
      await primary.machine.plug();
    },
  },
  {
    name: "crash-postgres",
    description: "kill Postgres on the primary",
    gap_seconds: FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.crashPostgres();
      await database.failover(primary);
    },
  },
  {
    name: "kill-patroni",
    description: `kill Patroni on the primary, which starts again after ${ABSENCE_MILLISECONDS / 1000} s`,
    gap_seconds: FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.endPatroni();
      await Promise.all([database.failover(primary), pass(ABSENCE_MILLISECONDS)]);
      primary.startPatroni();
    },
  },
  {
    name: "lose-standby",
    description: `cut the synchronous standby off the network for ${ABSENCE_MILLISECONDS / 1000} s`,
    gap_seconds: FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const { machine } = await database.synchronousStandby();
      await machine.unplug();
      await pass(ABSENCE_MILLISECONDS);
      await machine.plug();
    },
  },
  {
    name: "full-disk",
    description: `fill the disk of the primary for ${FULL_SECONDS} s`,
    // Postgres stays the primary: Patroni does not look at its disk.
    gap_seconds: FULL_SECONDS + 5,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.fillDisk();
      await pass(FULL_SECONDS * 1000);
      await primary.freeDisk();
    },
  },
  {
    name: "lose-etcd-member",
    description: "kill etcd on the primary, which starts again",
    gap_seconds: FAILOVER_SECONDS,
    may_fail: true,
    async happen({ database }) {
      const primary = await database.primary();
      await primary.endEtcd();
      await pass(ABSENCE_MILLISECONDS);
      primary.startEtcd();
    },
  },
  {
    name: "lose-etcd",
    description: `kill all of etcd for ${ABSENCE_MILLISECONDS / 1000} s`,
    // Without etcd, no machine may be the primary.
    gap_seconds: null,
    may_fail: true,
    async happen({ database }) {
      for (const machine of database.machines) await machine.endEtcd();
      await pass(ABSENCE_MILLISECONDS);
      for (const machine of database.machines) machine.startEtcd();
      await database.primary();
    },
  },
  {
    name: "switchover",
    description: "patronictl switchover",
    gap_seconds: 5,
    may_fail: true,
    happen: ({ database }) => database.switchover(),
  },
  {
    name: "restore",
    description: "stop everything, and restore to the time after the last change, as the page has it",
    // Nobody writes in the meantime.
    gap_seconds: null,
    may_fail: true,
    happen: restore,
  },
  {
    name: "kill-api",
    description: "kill an API process, which starts again",
    gap_seconds: 3,
    may_fail: true,
    async happen({ service }) {
      await service.first.api?.end("SIGKILL");
      await pass(RESTART_MILLISECONDS);
      service.first.startApi();
    },
  },
  {
    name: "kill-worker",
    description: "kill a worker, which starts again",
    gap_seconds: 3,
    may_fail: false,
    async happen({ service }) {
      await service.first.worker?.end("SIGKILL");
      await pass(RESTART_MILLISECONDS);
      service.first.startWorker();
    },
  },
  {
    name: "rolling-restart",
    description: "restart each API process and worker, one after the other",
    gap_seconds: 3,
    may_fail: false,
    async happen({ service }) {
      for (const machine of service.machines) {
        await machine.api?.end("SIGTERM");
        machine.startApi();
        await machine.worker?.end("SIGTERM");
        machine.startWorker();
        await service.calm();
      }
    },
  },
];

import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { isAlive } from "./postmaster.ts";

/** `findersv` in ASCII. A session of the service holds the lock until the service ends. */
const SERVICE_LOCK = 0x66696e6465727376n;

const RETRY_MILLISECONDS = 250;

/** The setting with the process id of the service that started Postgres. */
export const STARTED_BY = "findersfee.started_by";

/** Whether a service uses a Postgres, and the process id of the one that started it; 0: none did. */
export interface Attendance {
  /** `served`: a service holds the lock; `starting`: the service that started Postgres does not hold it yet. */
  state: "served" | "starting" | "unattended";
  service: number;
}

function openSession(url: string, onclose: () => void = () => {}) {
  return postgres(url, {
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    types: { bigint: postgres.BigInt },
    connection: { application_name: "findersfee service lock" },
    onnotice: () => {},
    onclose,
  });
}

/** Whether a service uses the Postgres at this address, or has ended without stopping it. */
export async function findAttendance(url: string): Promise<Attendance> {
  const session = openSession(url);
  try {
    const [row] = await session<[{ free: boolean; started_by: string | null }]>`
      select pg_try_advisory_lock(${SERVICE_LOCK}) as free, current_setting(${STARTED_BY}, true) as started_by`;
    const service = Number(row.started_by);
    if (!row.free) return { state: "served", service };
    return { state: service !== process.pid && isAlive(service) ? "starting" : "unattended", service };
  } finally {
    await session.end({ timeout: 1 });
  }
}

/** Takes the lock until this process ends. `findAttendance` may hold it for a moment. */
export async function holdServiceLock(url: string): Promise<{ release(): Promise<void> }> {
  let released = false;
  let held = false;
  // When one backend crashes, Postgres ends every session, and the lock has to be taken again.
  const session = openSession(url, () => {
    if (held) void retake();
  });
  const take = async () => {
    await session`select pg_advisory_lock(${SERVICE_LOCK})`;
    held = true;
  };
  const retake = async () => {
    held = false;
    while (!held && !released) {
      // biome-ignore lint/plugin/swallowed-failure: the connection is lost; it is tried again until Postgres answers
      await take().catch(() => delay(RETRY_MILLISECONDS, undefined, { ref: false }));
    }
  };
  await take();
  return {
    release: async () => {
      released = true;
      held = false;
      await session.end({ timeout: 1 });
    },
  };
}

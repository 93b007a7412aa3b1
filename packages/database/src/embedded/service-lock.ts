import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { isAlive } from "./postmaster.ts";

/** `findersv` in ASCII. Held by a session of the service as long as the service lives, however it ends. */
const SERVICE_LOCK = 0x66696e6465727376n;

const RETRY_MILLISECONDS = 250;

/** A service's name for itself in the settings of the Postgres that it starts: its process id. */
export const STARTED_BY = "findersfee.started_by";

/** Whether there is a service, and the process id of the one that started Postgres; 0 when none did. */
export interface Attendance {
  /** `served`: a service holds the lock; `starting`: the one that started Postgres has yet to take it. */
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

/** Whether a service attends to the Postgres at this address, or whether its service died. */
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

/** Takes the lock for the life of this process. Whoever looks who attends may hold it for a moment. */
export async function holdServiceLock(url: string): Promise<{ release(): Promise<void> }> {
  let released = false;
  let held = false;
  // A crash of one backend makes Postgres end every session; the lock has to be taken anew.
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

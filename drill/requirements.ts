import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PROGRAMS: Record<string, string> = {
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  pgbackrest: "/usr/bin/pgbackrest",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
  "python3-etcd": "/usr/lib/python3/dist-packages/etcd",
  iproute2: "/usr/sbin/ip",
};

/**
 * The namespaces that `unshare` gives the drill: a network, mounts, processes and shared memory that end with
 * it.
 */
export const NAMESPACES = ["--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Why the drill cannot run here; null: it can. */
export function missingRequirement(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "root on Linux";
  const packages = Object.keys(PROGRAMS).filter((name) => !existsSync(PROGRAMS[name] ?? ""));
  if (packages.length > 0) return `Debian's packages ${packages.join(", ")}`;
  const bridge = ["ip", "link", "add", "drill", "type", "bridge"];
  if (spawnSync("unshare", [...NAMESPACES, ...bridge]).status !== 0)
    return "network namespaces with a bridge";
  return null;
}

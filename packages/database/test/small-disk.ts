import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../src/postgres/connect.ts";
import { isOutage } from "../src/postgres/errors.ts";

const SIZE = "4m";

/** Whether tests may mount a file system for their Postgres: as root on Linux, where containers allow it. */
export function canMount(): boolean {
  if (process.env.TEST_DATABASE_URL) return false;
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
}

/** A tablespace of a few megabytes on a disk of its own, which a test can fill. */
export class SmallDisk {
  readonly tablespace: string;
  readonly #folder: string;
  readonly #database: Database;

  private constructor(database: Database, folder: string) {
    this.#database = database;
    this.#folder = folder;
    this.tablespace = `small_disk_${randomBytes(4).toString("hex")}`;
  }

  static async mount(database: Database): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-small-disk-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder]);
    if (mounted.status !== 0) throw new Error(`mount failed: ${mounted.stderr}`);
    const [server] = await database<[{ folder: string }]>`select current_setting('data_directory') as folder`;
    const { uid, gid } = await stat(server.folder);
    await chown(folder, uid, gid);
    await chmod(folder, 0o700);
    const disk = new SmallDisk(database, folder);
    await database.unsafe(`create tablespace ${disk.tablespace} location '${folder}'`);
    return disk;
  }

  /** Writes until Postgres reports that the disk is full. */
  async fill(): Promise<void> {
    await this.#database.unsafe(`create unlogged table filler (text text) tablespace ${this.tablespace}`);
    for (;;) {
      try {
        await this.#database`insert into filler select repeat('x', 1000) from generate_series(1, 100)`;
      } catch (error) {
        if (!isOutage(error)) throw error;
        return;
      }
    }
  }

  async clear(): Promise<void> {
    await this.#database`drop table filler`;
  }

  /** Unmounts the disk. Its tables must be dropped before, or moved to another tablespace. */
  async unmount(): Promise<void> {
    await this.#database`drop table if exists filler`;
    await this.#database.unsafe(`drop tablespace ${this.tablespace}`);
    spawnSync("umount", [this.#folder]);
    await rm(this.#folder, { recursive: true });
  }
}

import { findHost } from "@findersfee/database/postgres/find-host";
import { Client } from "pg";

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/** A client of `pg` for a URL with several hosts, which `pg` itself does not read: it connects to the wanted one. */
export function primaryClient(url: string): typeof Client {
  return class PrimaryClient extends Client {
    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | undefined {
      const connected = this.#connectToHost();
      if (callback === undefined) return connected;
      const done = callback as (error: Error | null, client?: Client) => void;
      connected.then(
        () => done(null, this),
        (error: Error) => done(error),
      );
      return undefined;
    }

    async #connectToHost(): Promise<Client> {
      // `pg` reads `host` and `port` when it connects; its types have them as constants.
      Object.assign(this, await findHost(url));
      // The statement below gets the error, too. The pool has a handler only from its end on, and the process would end. The server may
      // take its leave right behind its greeting, before `connect` resolves.
      const ignore = () => {};
      this.on("error", ignore);
      try {
        await super.connect();
        await this.#requirePrimary();
      } finally {
        this.off("error", ignore);
      }
      return this;
    }

    /** Throws if the server has become a standby while it started. */
    async #requirePrimary(): Promise<void> {
      const { rows } = await this.query<{ is_standby: boolean }>(`
        select pg_is_in_recovery() as is_standby`);
      if (rows[0]?.is_standby !== true) return;
      await this.end();
      throw new Error("the server has become a standby");
    }
  };
}

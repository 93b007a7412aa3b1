/** A mail that a local service shows instead of sending it. */
export interface LocalMail {
  id: string;
  organization_id: string;
  to: string;
  subject: string;
  text: string;
  composed_at: Date;
}

/** Older mails are forgotten: their codes are valid for minutes. */
const MOST = 200;

/**
 * The last mails of a service on one machine without a mail server, in memory alone: their links and codes let their reader in, so
 * no table and no log has them. One process composes and shows them.
 */
export class LocalMailbox {
  readonly #mails = new Map<string, LocalMail>();
  readonly #onMail: (mail: LocalMail) => void;

  constructor(onMail: (mail: LocalMail) => void = () => {}) {
    this.#onMail = onMail;
  }

  /** A mail that is composed again, after its result was not recorded, replaces itself. */
  add(mail: LocalMail): void {
    const is_new = !this.#mails.delete(mail.id);
    this.#mails.set(mail.id, mail);
    for (const id of this.#mails.keys()) {
      if (this.#mails.size <= MOST) break;
      this.#mails.delete(id);
    }
    if (is_new) this.#onMail(mail);
  }

  /** The organization's mails, newest first. */
  list(organization_id: string): LocalMail[] {
    return [...this.#mails.values()].filter((mail) => mail.organization_id === organization_id).reverse();
  }
}

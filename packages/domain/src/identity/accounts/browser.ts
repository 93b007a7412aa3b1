import type { Waiting } from "./fair-queue.ts";

/** The browser of a person who signs in. */
export interface Browser {
  ip_address: string;
  /** The IPv4 /24 or IPv6 /48; undefined: each address is a network. */
  network?: string;
  /** Of the cookie by which an account knows the browser; null or undefined: it has none. */
  device_token?: string | null;
  user_agent: string | null;
}

/** A person's browser that waits while a password is hashed. */
export interface WaitingBrowser extends Browser, Waiting {}

/** The mail is no longer wanted. */
export interface Dropped {
  dropped: string;
}

const SHOWN = 8;

/** The end of an ID: `…8c6d1e90`. IDs begin with the time, so those of one minute begin alike. */
export function shortId(id: string): string {
  return id.length <= SHOWN ? id : `…${id.slice(-SHOWN)}`;
}

/** The path of the application below its origin, without a slash at its end: empty unless a proxy adds a prefix. */
export const APPLICATION_PATH = new URL(document.baseURI).pathname.replace(/\/$/, "");

import { hasCode } from "@findersfee/database/postgres/error-code";

/** The address that a server should listen on, and the variable that sets its port. */
export interface Place {
  host: string;
  port: number;
  variable: "PORT" | "METRICS_PORT";
}

/** Describes a listening error with its fix; other errors stay unchanged. */
export function listeningError(error: unknown, { host, port, variable }: Place): unknown {
  if (hasCode(error, "EADDRINUSE")) {
    const other = port === 65535 ? port - 1 : port + 1;
    return new Error(
      `Port ${port} is in use: stop the other program, or choose another port (${variable}=${other}).`,
    );
  }
  if (hasCode(error, "EACCES")) {
    return new Error(
      `This user cannot listen on port ${port}: choose a port from 1024 on (${variable}=3000), with a proxy in front.`,
    );
  }
  if (NO_ADDRESS.some((code) => hasCode(error, code))) {
    return new Error(
      `HOST=${host} is not an address of this machine: use one of its addresses (HOST=127.0.0.1), or all (HOST=0.0.0.0).`,
    );
  }
  return error;
}

/** Node's error codes for another machine's address and for an unknown host name. */
const NO_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT", "ENOTFOUND", "EAI_AGAIN", "EINVAL"];

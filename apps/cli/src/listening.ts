import { hasCode } from "@findersfee/database/error-code";

/** Where a server was told to listen, and the variable that says at which port. */
interface Place {
  host: string;
  port: number;
  variable: "PORT" | "METRICS_PORT";
}

/** What to do about a server that could not listen, in words; any other error as it is. */
export function listeningError(error: unknown, { host, port, variable }: Place): unknown {
  if (hasCode(error, "EADDRINUSE")) {
    const other = port === 65535 ? port - 1 : port + 1;
    return new Error(`Port ${port} is in use: stop what uses it, or choose another (${variable}=${other}).`);
  }
  if (hasCode(error, "EACCES")) {
    return new Error(
      `This user may not listen on port ${port}: choose one from 1024 on (${variable}=3000), with a proxy in front.`,
    );
  }
  if (NO_ADDRESS.some((code) => hasCode(error, code))) {
    return new Error(
      `HOST=${host} is no address of this machine: choose one that is (HOST=127.0.0.1), or all (HOST=0.0.0.0).`,
    );
  }
  return error;
}

/** What Node says of an address that is another machine's, or of a name that leads nowhere. */
const NO_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT", "ENOTFOUND", "EAI_AGAIN", "EINVAL"];

/** A rewritten file. */
export interface Picture {
  width: number;
  height: number;
  content: Buffer;
}

/** The file cannot be a logo. The message is for people. */
export class LogoError extends Error {}

export function damaged(format: string): LogoError {
  return new LogoError(`The ${format} file is damaged or incomplete.`);
}

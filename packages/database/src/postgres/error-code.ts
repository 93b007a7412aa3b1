/** Whether an error carries this code, as Node's system errors do: `hasCode(error, "ENOENT")`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

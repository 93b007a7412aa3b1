import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Tool } from "./tool.ts";
import { CURL, GO, goEnvironment, OPENSSL, PHP, PYTHON, RUBY } from "./tools.ts";

const EXAMPLES = join(import.meta.dirname, "..");

/** An example file and its tool. */
export interface Program {
  tool: Tool;
  /**
   * The program's command line. Compiled programs are built into `folder`; a server that reads its port from
   * there instead of the environment gets it.
   */
  command(options: { folder: string; port?: number }): Promise<string[]>;
}

/** The programs from a campaign to a commission, by language. */
export const FIRST_COMMISSION: Record<string, Program> = {
  curl: script(CURL, "bash", "curl/first-commission.sh"),
  Python: script(PYTHON, "python3", "python/first-commission.py"),
  PHP: script(PHP, "php", "php/first-commission.php"),
  Go: compiled("go/first-commission.go"),
  Ruby: script(RUBY, "ruby", "ruby/first-commission.rb"),
};

/** The programs that sign a sign-up: the click's id and the email are their arguments. */
export const SIGN_SIGNUP: Record<string, Program> = {
  Python: script(PYTHON, "python3", "python/sign-signup.py"),
  PHP: script(PHP, "php", "php/sign-signup.php"),
  Go: compiled("go/sign-signup.go"),
  Ruby: script(RUBY, "ruby", "ruby/sign-signup.rb"),
};

/** The programs that report a conversion: its kind and the customer's email are their arguments. */
export const REPORT_CONVERSION: Record<string, Program> = {
  curl: script(CURL, "bash", "curl/report-conversion.sh"),
  Python: script(PYTHON, "python3", "python/report-conversion.py"),
  PHP: script(PHP, "php", "php/report-conversion.php"),
  Go: compiled("go/report-conversion.go"),
  Ruby: script(RUBY, "ruby", "ruby/report-conversion.rb"),
};

/** The servers that receive webhooks. */
export const RECEIVE_WEBHOOKS: Record<string, Program> = {
  Python: script(PYTHON, "python3", "python/receive-webhooks.py"),
  PHP: {
    tool: PHP,
    command: async ({ port }) => [
      "php",
      "-S",
      `127.0.0.1:${port}`,
      join(EXAMPLES, "php/receive-webhooks.php"),
    ],
  },
  Go: compiled("go/receive-webhooks.go"),
  Ruby: script(RUBY, "ruby", "ruby/receive-webhooks.rb"),
};

/** Verifies a single delivery in a shell. */
export const VERIFY_WEBHOOK = script(OPENSSL, "bash", "curl/verify-webhook.sh");

function script(tool: Tool, interpreter: string, file: string): Program {
  return { tool, command: async () => [interpreter, join(EXAMPLES, file)] };
}

/** Go is compiled first: `go run` would not forward signals. */
function compiled(file: string): Program {
  return {
    tool: GO,
    command: async ({ folder }) => {
      const program = join(folder, "program");
      const env = goEnvironment(folder);
      await promisify(execFile)("go", ["build", "-o", program, join(EXAMPLES, file)], { env });
      return [program];
    },
  };
}

import { parseArgs } from "node:util";

/** The parsed options of a bench run. */
export interface Options {
  /** The bench; null for the help. */
  bench: string | null;
  /** Fewer and shorter rounds and smaller tables, for a quick look rather than for results. */
  quick: boolean;
  /** Only this question. */
  only: number | null;
  /** Record CPU profiles of the api process under question 1, or 2 of tracking. */
  profile: boolean;
  /** An external server instead of an embedded one; its role must be able to create databases. */
  database_url: string | null;
  /** The environment variables that every program needs; others would configure the measured service. */
  base_environment: Record<string, string | undefined>;
}

export const HELP = `pnpm bench api|webhooks|sdk|tracking|payouts|dashboard|portal|tricks [--quick] [--only <question>] [--profile]

  --quick     fewer and shorter rounds, smaller tables; about a minute a question
  --only <n>  one question: 1 to 6 of api, 1 to 12 of webhooks, 1 and 2 of sdk, 1 to 8 of tracking,
              1 and 2 of payouts, 1 to 8 of dashboard, 1 and 2 of portal, 1 to 4 of tricks
  --profile   question 1 of api, 1 or 2 of tracking with --cpu-prof on the api process; prints where
              its time goes

It starts a Postgres of its own, fsync on, in a temporary folder. BENCH_DATABASE_URL names another one
whose role may create databases; what is created there is dropped again.
The exit code is 0 even when a target is missed, and 1 after an error.`;

/** Parses arguments and environment. Throws for unknown ones. */
export function readOptions(
  args: readonly string[] = process.argv.slice(2),
  environment: Record<string, string | undefined> = process.env,
): Options {
  const { values, positionals } = parseArgs({
    // pnpm forwards the `--` that separates its own arguments.
    args: args.filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [bench = null, ...rest] = positionals;
  if (rest.length > 0) throw new Error(`unknown argument ${rest.join(" ")}`);
  return {
    bench: values.help ? null : bench,
    quick: values.quick,
    only: readQuestion(values.only) ?? (values.profile ? 1 : null),
    profile: values.profile,
    database_url: environment.BENCH_DATABASE_URL || null,
    base_environment: { PATH: environment.PATH, HOME: environment.HOME, TMPDIR: environment.TMPDIR },
  };
}

function readQuestion(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^([1-9]|1[0-2])$/.test(text)) throw new Error(`--only ${text}: the questions are 1 to 12`);
  return Number(text);
}

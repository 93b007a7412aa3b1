import { isDeepStrictEqual } from "node:util";
import type { Issue } from "@findersfee/contract/errors";
import type { Context } from "@findersfee/domain/context";
import { DomainError } from "@findersfee/domain/errors";
import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { issuesOf } from "./issues.ts";
import { domainContext, type IssueFinder, middleware } from "./trpc/trpc.ts";

/** The checks of an operation beyond its input's schema. */
interface OperationChecks<Input> {
  /**
   * Throws the `invalid_request` that the operation would throw for a valid input, without changing anything.
   */
  check: (context: Context, input: Input) => void | Promise<void>;
  /** For an update: the current resource, as a GET returns it. */
  get?: (context: Context, id: string) => Promise<object>;
}

type Fields = Record<string, unknown>;

/**
 * Finds all issues of an operation: if the schema rejects the input, it also checks the other fields against
 * the operation's rules, so that one response lists every issue. In an update, a field with its current value
 * is never an issue, even if it could not be set to that value (negative amounts of reversals, emails in the
 * processors' formats).
 */
export function allIssues<Schema extends z.ZodObject>(
  schema: Schema,
  checks: OperationChecks<z.output<Schema>>,
): IssueFinder {
  return async (context, { sent, error }) => {
    const refused = schemaErrorOf(error);
    if (refused === null || typeof sent !== "object" || sent === null || Array.isArray(sent)) return null;
    const names = new Set(refused.issues.flatMap(fieldsOf));
    const others = without(sent, names);
    const wrong = refused.issues.filter(isAboutChange(sent, await currentOf(context, sent, checks)));
    if (wrong.length === 0) return { issues: [], others };
    const found = await issuesIn(others, { schema, check: (input) => checks.check(context, input) });
    // A rule about a field that the schema already rejected would report a second issue for it.
    const further = found.filter(({ path }) => !names.has(path.split(/[.[]/, 1)[0] ?? ""));
    return { issues: [...issuesOf(new z.ZodError(wrong)), ...further], others };
  };
}

/**
 * For updates: rejects an input with all its issues, and retries the call without the rejected fields if all
 * of these have their current values. Creations name their finder in `meta`, which costs a valid request
 * nothing.
 */
export function listAllIssues<Schema extends z.ZodObject>(
  schema: Schema,
  checks: OperationChecks<z.output<Schema>>,
) {
  const find = allIssues(schema, checks);
  return middleware(async ({ ctx, getRawInput, next }) => {
    const result = await next();
    if (result.ok) return result;
    const found = await find(domainContext(ctx, undefined), {
      sent: await getRawInput(),
      error: result.error,
    });
    if (found === null) return result;
    if (found.issues.length === 0) return await next({ getRawInput: async () => found.others });
    throw new DomainError("invalid_request", { issues: found.issues });
  });
}

function schemaErrorOf({ code, cause }: TRPCError): z.ZodError | null {
  return code === "BAD_REQUEST" && cause instanceof z.ZodError ? cause : null;
}

/** The input's own fields that an issue concerns. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const [name] = issue.path;
  if (name !== undefined) return [String(name)];
  return issue.code === "unrecognized_keys" ? issue.keys : [];
}

function without(sent: object, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name)));
}

/** The row to update; an empty object if there is none to compare with. */
async function currentOf(
  context: Context,
  sent: object,
  { get }: Pick<OperationChecks<never>, "get">,
): Promise<object> {
  const id = "id" in sent ? z.uuid().safeParse(sent.id).data : undefined;
  if (get === undefined || id === undefined) return {};
  return (await unlessRefused(() => get(context, id))) ?? {};
}

function isAboutChange(sent: object, current: object): (issue: z.core.$ZodIssue) => boolean {
  const isUnchanged = (name: string) =>
    Object.hasOwn(current, name) && isDeepStrictEqual(Reflect.get(sent, name), Reflect.get(current, name));
  return (issue) => {
    const names = fieldsOf(issue);
    return names.length === 0 || !names.every(isUnchanged);
  };
}

async function issuesIn<Schema extends z.ZodObject>(
  sent: Fields,
  { schema, check }: { schema: Schema; check: (input: z.output<Schema>) => void | Promise<void> },
): Promise<Issue[]> {
  const { data } = schema.safeParse(sent);
  if (data === undefined) return [];
  const issues: Issue[] = [];
  await unlessRefused(
    async () => check(data),
    (found) => issues.push(...found),
  );
  return issues;
}

/** The result of the call, or null when the domain rejects it; other failures are rethrown. */
async function unlessRefused<Result>(
  call: () => Promise<Result>,
  onIssues: (issues: Issue[]) => void = () => {},
): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    onIssues(error.issues ?? []);
    return null;
  }
}

import { isDeepStrictEqual } from "node:util";
import type { Issue } from "@findersfee/contract/errors";
import type { Context } from "@findersfee/domain/context";
import { DomainError } from "@findersfee/domain/errors";
import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { issuesOf } from "./issues.ts";
import { domainContext, middleware } from "./trpc.ts";

/** What an operation checks beyond its input's schema. */
interface OperationChecks<Input> {
  /** Throws the `invalid_request` that the operation would throw for a valid input, and changes nothing. */
  check: (context: Context, input: Input) => void | Promise<void>;
  /** Of an update: the resource as a GET answers with it. */
  get?: (context: Context, id: string) => Promise<object>;
}

type Fields = Record<string, unknown>;

/**
 * Lists everything that is wrong with a request in one answer: for an input that its schema refuses, also the
 * issues that the operation finds in the other fields. In an update a field with its current value is never an
 * issue, although it could not be set to it (negative amounts of reversals, emails as processors have them).
 * Valid inputs pass without any of this; the row is only read for a refused one.
 */
export function listAllIssues<Schema extends z.ZodObject>(
  schema: Schema,
  checks: OperationChecks<z.output<Schema>>,
) {
  return middleware(async ({ ctx, getRawInput, next }) => {
    const result = await next();
    const refused = result.ok ? null : schemaErrorOf(result.error);
    if (refused === null) return result;
    const sent = await getRawInput();
    if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return result;
    const context = domainContext(ctx, null);
    const wrong = refused.issues.filter(isAboutChange(sent, await currentOf(context, sent, checks)));
    const names = new Set(refused.issues.flatMap(fieldsOf));
    const others = without(sent, names);
    if (wrong.length === 0) return await next({ getRawInput: async () => others });
    const found = await issuesIn(others, { schema, check: (input) => checks.check(context, input) });
    // A rule about a field that is left out here because it is wrong itself would be a second issue of it.
    const further = found.filter(({ path }) => !names.has(path.split(/[.[]/, 1)[0] ?? ""));
    if (wrong.length === refused.issues.length && further.length === 0) return result;
    throw new DomainError("invalid_request", { issues: [...issuesOf(new z.ZodError(wrong)), ...further] });
  });
}

function schemaErrorOf({ code, cause }: TRPCError): z.ZodError | null {
  return code === "BAD_REQUEST" && cause instanceof z.ZodError ? cause : null;
}

/** The input's own fields that an issue is about. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const [name] = issue.path;
  if (name !== undefined) return [String(name)];
  return issue.code === "unrecognized_keys" ? issue.keys : [];
}

function without(sent: object, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name)));
}

/** The row that an update is about; an empty object if there is none to compare with. */
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

/** What the call returns, or null when the domain refuses it; any other failure is thrown. */
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

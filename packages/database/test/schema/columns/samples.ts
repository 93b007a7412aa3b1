import {
  type Symbol as Property,
  SignatureKind,
  type Type,
  TypeFlags,
  type UnionType,
} from "typescript/unstable/sync";
import type { Connection } from "../../../src/postgres/connect.ts";
import type { Sources } from "./sources.ts";

const ID = "00000000-0000-7000-8000-000000000001";
/** The depth of types that contain themselves. */
const DEEPEST = 6;

const OBJECTS: Record<string, () => unknown> = {
  Date: () => new Date(),
  Buffer: () => Buffer.from("sample"),
  Uint8Array: () => Buffer.from("sample"),
  Map: () => new Map(),
  ReadonlyMap: () => new Map(),
  Set: () => new Set([ID]),
  ReadonlySet: () => new Set([ID]),
};

const CONNECTIONS = new Set(["ISql", "Sql", "TransactionSql"]);

/**
 * Makes values of types, so that every statement function can be called. Full ones have everything that is optional,
 * and the first member of each union; the others nothing, and the last.
 */
export class Samples {
  readonly #sources: Sources;
  readonly #connection: Connection;
  readonly id = ID;
  readonly #full: boolean;

  constructor(sources: Sources, connection: Connection, full: boolean) {
    this.#sources = sources;
    this.#connection = connection;
    this.#full = full;
  }

  /** A value of each parameter, or null when the function does not begin with a connection. */
  parametersOf(callable: Type): unknown[] | null {
    const { checker } = this.#sources;
    const [signature] = checker.getSignaturesOfType(callable, SignatureKind.Call);
    const types = signature?.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter)) ?? [];
    if (types[0] === undefined || !isConnection(types[0])) return null;
    return types.map((type) => type && this.of(type));
  }

  of(type: Type, depth = 0): unknown {
    if (depth > DEEPEST) return undefined;
    if (type.isLiteralType()) return type.value;
    const { checker } = this.#sources;
    if (type.isUnionType()) return this.#member(type, depth);
    if (checker.isTypeAssignableTo(type, checker.getStringType())) return ID;
    if (checker.isTypeAssignableTo(type, checker.getNumberType())) return 1;
    if (checker.isTypeAssignableTo(type, checker.getBigIntType())) return 1n;
    if (checker.isTypeAssignableTo(type, checker.getBooleanType())) return this.#full;
    return this.#object(type, depth + 1);
  }

  #member(union: UnionType, depth: number): unknown {
    const { checker } = this.#sources;
    const least = [checker.getUndefinedType(), checker.getNullType()].find((type) =>
      checker.isTypeAssignableTo(type, union),
    );
    if (!this.#full && least !== undefined) return least.flags & TypeFlags.Null ? null : undefined;
    const some = checker.getNonNullableType(union) ?? union;
    if (!some.isUnionType()) return this.of(some, depth);
    const member = some.getTypes().at(this.#full ? 0 : -1);
    return member && this.of(member, depth);
  }

  #object(type: Type, depth: number): unknown {
    const { checker } = this.#sources;
    if (isConnection(type)) return this.#connection;
    const known = OBJECTS[nameOf(type)];
    if (known !== undefined) return known();
    if (nameOf(type) === "PendingQuery") return this.#connection`select`;
    if (nameOf(type) === "Promise" && type.isTypeReference()) {
      return Promise.resolve(checker.getTypeArguments(type).map((result) => this.of(result, depth))[0]);
    }
    if (checker.isArrayLikeType(type) && type.isTypeReference()) {
      return checker.getTypeArguments(type).map((element) => this.of(element, depth));
    }
    const [signature] = checker.getSignaturesOfType(type, SignatureKind.Call);
    const result = signature && checker.getReturnTypeOfSignature(signature);
    if (signature !== undefined) return () => result && this.of(result, depth);
    return Object.fromEntries(
      checker.getPropertiesOfType(type).map((property) => [property.name, this.#property(property, depth)]),
    );
  }

  #property(property: Property, depth: number): unknown {
    const type = this.#sources.checker.getTypeOfSymbol(property);
    return type && this.of(type, depth);
  }
}

export function nameOf(type: Type): string {
  return type.getSymbol()?.name ?? "";
}

function isConnection(type: Type): boolean {
  return CONNECTIONS.has(nameOf(type));
}

import { FindersfeeError } from "./errors.ts";
import type { List, Page } from "./list.ts";
import { Awaitable, type CallReply } from "./pending-call.ts";

/** What a list takes beside its filters. */
export interface ListInput {
  page?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  after?: string | undefined;
}

interface ListSource<Row> {
  input: ListInput;
  /** The field of the input that says where to go on. */
  cursor: "cursor" | "after";
  fetchPage: (input: ListInput) => Promise<CallReply<Page<Row>>>;
  /** Throws when nothing more is wanted. */
  checkWanted: () => void;
}

/** Who iterates wants all rows, in as few requests as may be. */
const ITERATED_LIMIT = 100;

export class LazyList<Row> extends Awaitable<Page<Row>> implements List<Row> {
  readonly [Symbol.toStringTag] = "List";
  readonly #source: ListSource<Row>;
  #page: Promise<CallReply<Page<Row>>> | null = null;

  constructor(source: ListSource<Row>) {
    super();
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { cursor, fetchPage, checkWanted } = this.#source;
    for (let input = this.#firstInput(); ; ) {
      const { data: page } = await fetchPage(input);
      const { data, pagination } = page;
      for (const row of data) {
        checkWanted();
        yield row;
      }
      const { has_more, next_cursor } = pagination;
      if (!has_more) return;
      if (next_cursor === null || next_cursor === input[cursor]) throw endless();
      const { page: _page, cursor: _cursor, after: _after, ...rest } = input;
      input = { ...rest, [cursor]: next_cursor };
    }
  }

  protected override reply(): Promise<CallReply<Page<Row>>> {
    this.#page ??= this.#source.fetchPage(this.#source.input);
    return this.#page;
  }

  /** By cursor from the first page on, so that nothing is counted; a page that was asked for is where it begins. */
  #firstInput(): ListInput {
    const { input, cursor } = this.#source;
    const begins = cursor === "after" || input.page !== undefined || input.cursor !== undefined;
    return { ...input, limit: input.limit ?? ITERATED_LIMIT, ...(begins ? {} : { cursor: "" }) };
  }
}

function endless(): FindersfeeError {
  return new FindersfeeError({
    code: "invalid_response",
    message: "The service says that more rows follow, but not where. Please report this.",
  });
}

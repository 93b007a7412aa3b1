import { FindersfeeError } from "./errors.ts";
import type { Pagination } from "./resources.ts";

/** One page of a list. */
export interface Page<Row> {
  /** The rows of this page. */
  data: Row[];
  /** Where this page stands, and where to go on. */
  pagination: Pagination;
}

/**
 * A list that is asked for when it is used: awaited it is one page, iterated over it is every row of every
 * page, fetched as they are needed.
 */
export interface List<Row> extends Promise<Page<Row>>, AsyncIterable<Row> {}

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
  fetchPage: (input: ListInput) => Promise<Page<Row>>;
  /** Throws when nothing more is wanted. */
  checkWanted: () => void;
}

/** Who iterates wants all rows, in as few requests as may be. */
const ITERATED_LIMIT = 100;

export class LazyList<Row> implements List<Row> {
  readonly [Symbol.toStringTag] = "List";
  readonly #source: ListSource<Row>;
  #page: Promise<Page<Row>> | null = null;

  constructor(source: ListSource<Row>) {
    this.#source = source;
  }

  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for
  then<Fulfilled = Page<Row>, Rejected = never>(
    onFulfilled?: ((page: Page<Row>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#onePage().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Row> | Rejected> {
    return this.#onePage().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Row>> {
    return this.#onePage().finally(onFinally);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { cursor, fetchPage, checkWanted } = this.#source;
    for (let input = this.#firstInput(); ; ) {
      const { data, pagination } = await fetchPage(input);
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

  #onePage(): Promise<Page<Row>> {
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

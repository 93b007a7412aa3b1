import { FindersfeeError } from "../errors/errors.ts";
import type { List, Page } from "./list.ts";
import { Awaitable, type CallReply } from "./pending-call.ts";

/** The paging input of a list. */
export interface ListInput {
  page?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  after?: string | undefined;
}

interface ListSource<Row> {
  input: ListInput;
  /** The input field that carries the cursor. */
  cursor: "cursor" | "after";
  fetchPage: (input: ListInput) => Promise<CallReply<Page<Row>>>;
  /** Throws when the call has been aborted. */
  checkWanted: () => void;
}

/** Iteration fetches all rows, so it uses the largest page. */
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

  /**
   * Iterates by cursor from the start, so that rows are not counted; an explicit page sets the starting
   * point.
   */
  #firstInput(): ListInput {
    const { input, cursor } = this.#source;
    const begins = cursor === "after" || input.page !== undefined || input.cursor !== undefined;
    return { ...input, limit: input.limit ?? ITERATED_LIMIT, ...(begins ? {} : { cursor: "" }) };
  }
}

function endless(): FindersfeeError {
  return new FindersfeeError({
    code: "invalid_response",
    message: "The service returned a page with more rows but no cursor. Please report this.",
  });
}

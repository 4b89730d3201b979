/** What the customer is about to buy; every change makes a new basket. */
export interface Line {
  readonly isbn: string;
  readonly cents: number;
  readonly count: number;
}

export const MOST_COPIES = 10;

export class Basket {
  constructor(readonly lines: readonly Line[] = []) {}

  add(isbn: string, cents: number): Basket {
    const known = this.lines.find((line) => line.isbn === isbn);
    if (!known) {
      return new Basket([...this.lines, { isbn, cents, count: 1 }]);
    }
    const count = Math.min(known.count + 1, MOST_COPIES);
    return new Basket(this.lines.map((line) => (line === known ? { ...line, cents, count } : line)));
  }

  remove(isbn: string): Basket {
    return new Basket(this.lines.filter((line) => line.isbn !== isbn));
  }

  /** In whole cents: floating point never touches money. */
  get total(): number {
    return this.lines.reduce((sum, line) => sum + line.cents * line.count, 0);
  }
}

export type State = "placed" | "paid" | "packed" | "shipped" | "cancelled";

export interface Row {
  readonly order: string;
  readonly state: State;
  readonly placedAt: string;
}

const WAITING: readonly State[] = ["paid", "packed"];

/** Returns the orders that the warehouse still has to work on, oldest first. */
export function workList(rows: readonly Row[]): Row[] {
  return rows
    .filter((row) => WAITING.includes(row.state))
    .sort((one, other) => one.placedAt.localeCompare(other.placedAt));
}

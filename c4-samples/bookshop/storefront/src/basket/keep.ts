import { Basket, type Line } from "./basket";

const KEY = "basket.v2";

/** Keeps the basket in the browser, so that it outlives the tab. */
export function save(basket: Basket, storage: Storage): void {
  storage.setItem(KEY, JSON.stringify(basket.lines));
}

export function load(storage: Storage): Basket {
  const text = storage.getItem(KEY);
  if (text === null) {
    return new Basket();
  }
  try {
    return new Basket(JSON.parse(text) as Line[]);
  } catch {
    storage.removeItem(KEY);
    return new Basket();
  }
}

import type { Basket } from "./basket/basket";

export class Refused extends Error {
  constructor(readonly status: number, readonly waitSeconds: number) {
    super(`the shop answered ${status}`);
  }
}

/** Places the order; the caller makes the key once per basket, so that a double click buys once. */
export async function placeOrder(basket: Basket, key: string): Promise<string> {
  const answer = await fetch("/api/orders", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(basket.lines),
  });
  if (!answer.ok) {
    throw new Refused(answer.status, Number(answer.headers.get("retry-after") ?? 0));
  }
  const { order } = (await answer.json()) as { order: string };
  return order;
}

export type Ask = (words: string, signal: AbortSignal) => Promise<string[]>;

export const PAUSE_MS = 250;
const FEWEST_LETTERS = 3;

/** Asks for suggestions once the customer stops typing; an older answer never replaces a newer one. */
export class Suggestions {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly show: (titles: string[]) => void,
  ) {}

  typed(words: string): void {
    clearTimeout(this.timer);
    this.running?.abort();
    if (words.trim().length < FEWEST_LETTERS) {
      this.show([]);
      return;
    }
    this.timer = setTimeout(() => void this.fetch(words), PAUSE_MS);
  }

  private async fetch(words: string): Promise<void> {
    const running = new AbortController();
    this.running = running;
    const titles = await this.ask(words, running.signal).catch(() => []);
    if (!running.signal.aborted) {
      this.show(titles);
    }
  }
}

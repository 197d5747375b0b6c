// Measures how much a page moves while it loads.
import type { Page } from "playwright-core";

/** Cumulative layout shift since the navigation. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (entries: readonly PerformanceEntry[]) => {
          for (const { value } of entries as unknown as { value: number }[]) sum += value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries arrive before the second frame.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            add(observer.takeRecords());
            resolve(sum);
          }),
        );
      }),
  );

// The driver where wrk is not installed, and where requests are counted: autocannon, in a process of its own.
import autocannon from "autocannon";
import type { Driven, DriveOptions } from "./driver.ts";
import type { BenchRequest } from "./request.ts";

type Order = DriveOptions & { readonly requests: readonly BenchRequest[] };

process.once("message", ({ url, requests, seconds, connections, amount }: Order) => {
  let place = 0;
  const start = performance.now();
  let last = start;
  const instance = autocannon(
    {
      url,
      connections,
      timeout: 60,
      ...(amount === undefined ? { duration: seconds } : { amount }),
      requests: [
        {
          // Every connection takes the next request of the one list.
          setupRequest: (request) => {
            const { path, method = "GET", headers = {}, body } = requests[place++ % requests.length] as BenchRequest;
            return { ...request, method, path, headers, body };
          },
        },
      ],
    },
    (error, result) => {
      if (error) throw error;
      const driven: Driven = {
        // It looks at its clock once a second, which is too seldom for a count of requests.
        seconds: amount === undefined ? result.duration : (last - start) / 1000,
        requests: result.requests.total,
        bytes: result.throughput.total,
        p50Ms: result.latency.p50,
        p99Ms: result.latency.p99,
        failed: result.errors + result.timeouts,
        refused: result["4xx"] + result["5xx"],
      };
      process.send?.(driven, () => process.exit(0));
    },
  );
  instance.on("response", () => {
    last = performance.now();
  });
});

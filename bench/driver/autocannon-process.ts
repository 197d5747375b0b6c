// Load generator used without wrk, and for a fixed number of requests: autocannon in a separate process.
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
          // All connections share one list of requests.
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
        // It checks its clock once a second, which is too coarse for a number of requests.
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

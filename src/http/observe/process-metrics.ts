// What the process itself takes: memory, processor, and how late its event loop is.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { counter, type Family, gauge, plain } from "../../metrics/family.ts";

/** Between two looks at the event loop, in milliseconds. */
const resolution = 20;

export type ProcessMetrics = { families(): Family[]; stop(): void };

export function processMetrics(version: string): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return {
    families: () => {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      // A look that comes on time is counted as one resolution; what is more is the delay.
      const late = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e9 - resolution / 1000);
      delay.reset();
      return [
        gauge(
          "bellwire_info",
          "The program that runs.",
          [{ labels: { version, node: process.versions.node }, value: 1 }],
          "max",
        ),
        gauge("bellwire_processes", "Processes that serve.", plain(1)),
        gauge("process_resident_memory_bytes", "Memory that the system gave.", plain(rss)),
        gauge("nodejs_heap_used_bytes", "Memory in use by objects.", plain(heapUsed)),
        counter("process_cpu_seconds_total", "Processor time.", plain((user + system) / 1e6)),
        counter(
          "bellwire_event_loop_busy_seconds_total",
          "Time in which the event loop had something to do.",
          plain(performance.eventLoopUtilization().active / 1000),
        ),
        gauge(
          "bellwire_event_loop_lag_seconds",
          "Longest wait of the event loop since metrics were last read.",
          plain(late),
          "max",
        ),
        gauge(
          "process_start_time_seconds",
          "When the youngest process began.",
          plain(Math.round(performance.timeOrigin) / 1000),
          "max",
        ),
      ];
    },
    stop: () => void delay.disable(),
  };
}

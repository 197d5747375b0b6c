// Metrics of the process: memory, CPU time, event loop lag.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { counter, type Family, gauge, plain } from "../../metrics/family.ts";

/** Milliseconds between two samples. */
const resolution = 20;

type ProcessMetrics = { families(): Family[]; stop(): void };

export function processMetrics(version: string): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return {
    families: () => {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      // A punctual sample measures one resolution; the rest is lag.
      const late = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e9 - resolution / 1000);
      delay.reset();
      return [
        gauge(
          "bellwire_info",
          "Version of Bellwire and of Node.js.",
          [{ labels: { version, node: process.versions.node }, value: 1 }],
          "max",
        ),
        gauge("bellwire_processes", "Server processes.", plain(1)),
        gauge("process_resident_memory_bytes", "Resident memory size.", plain(rss)),
        gauge("nodejs_heap_used_bytes", "JavaScript heap in use.", plain(heapUsed)),
        counter("process_cpu_seconds_total", "CPU time.", plain((user + system) / 1e6)),
        counter(
          "bellwire_event_loop_busy_seconds_total",
          "Time the event loop was busy.",
          plain(performance.eventLoopUtilization().active / 1000),
        ),
        gauge("bellwire_event_loop_lag_seconds", "Highest event loop lag since the last scrape.", plain(late), "max"),
        gauge(
          "process_start_time_seconds",
          "Start time of the newest process.",
          plain(Math.round(performance.timeOrigin) / 1000),
          "max",
        ),
      ];
    },
    stop: () => void delay.disable(),
  };
}

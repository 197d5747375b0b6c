// Charts of a history: a line of figures with what was expected, and stacked columns of counts.
import { dayText, monthText } from "../../format/day.ts";
import { evenly } from "../../format/number.ts";
import { domainOf, scaleTo, ticksOf } from "../../format/scale.ts";
import { useWidth } from "../chart/use-width.ts";
import type { Counts, Point } from "./points.ts";

const height = 150;
const [left, right, top, bottom] = [46, 10, 8, 24];

/** More would be closer than a pixel or two. */
const maxPoints = 120;

type LineProps = {
  readonly label: string;
  readonly points: readonly Point[];
  /** What the line and the circles show. */
  readonly names: readonly [value: string, expected: string];
  /** ID of the record that is open. */
  readonly current: unknown;
};

export function LinePlot({ label, points, names, current }: LineProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const shown = points.slice(-maxPoints);
  const domain = domainOf(
    shown.flatMap(({ value, expected }) => [value, expected].filter((each) => each !== undefined)),
  );
  const ticks = ticksOf(domain);
  const tickTexts = evenly(ticks);
  const times = shown.map(({ day }) => Date.parse(day));
  const span = [times[0] ?? 0, Math.max(times.at(-1) ?? 1, (times[0] ?? 0) + 1)] as const;
  const x = (at: number): number => scaleTo(times[at] ?? 0, span, left + 4, width - right - 4);
  const y = (value: number): number => scaleTo(value, domain, height - bottom, top);
  const line = shown.flatMap(({ value }, at) =>
    value === undefined ? [] : [`${x(at).toFixed(1)},${y(value).toFixed(1)}`],
  );
  return (
    <div ref={element} class="history-plot">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {ticks.map((tick, at) => (
            <g key={tick}>
              <line class="plot-grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
              <text class="plot-tick" x={left - 6} y={y(tick) + 4}>
                {tickTexts[at]}
              </text>
            </g>
          ))}
          <polyline class="history-line" points={line.join(" ")} />
          {shown.map(({ record, day, period, value, expected }, at) => (
            <g key={String(record.id)}>
              <title>{`${dayText(day)} ${period}`.trim()}</title>
              {expected !== undefined && <circle class="history-expected" cx={x(at)} cy={y(expected)} r={3} />}
              {value !== undefined && (
                <circle
                  class={record.id === current ? "history-value current" : "history-value"}
                  cx={x(at)}
                  cy={y(value)}
                  r={record.id === current ? 5 : 2.5}
                />
              )}
            </g>
          ))}
          <text class="plot-below" x={left} y={height - 6} style={{ textAnchor: "start" }}>
            {dayText(shown[0]?.day ?? "")}
          </text>
          <text class="plot-below" x={width - right} y={height - 6} style={{ textAnchor: "end" }}>
            {dayText(shown.at(-1)?.day ?? "")}
          </text>
          <text class="plot-below" x={(left + width - right) / 2} y={height - 6}>
            <tspan class="history-key-value">●</tspan> {names[0]} <tspan dx={8}>○</tspan> {names[1]}
          </text>
        </svg>
      )}
    </div>
  );
}

/** Width of a column, in pixels. */
const maxColumn = 72;

type DistributionProps = {
  readonly label: string;
  readonly counts: readonly Counts[];
  readonly groups: readonly string[];
};

const monthOf = (each: Counts | undefined): string => (each === undefined ? "" : monthText(each.day.slice(0, 7)));

export function DistributionPlot({ label, counts, groups }: DistributionProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const shown = counts.slice(-36);
  const most = Math.max(1, ...shown.map((each) => each.counts.reduce((sum, count) => sum + count, 0)));
  const y = (value: number): number => scaleTo(value, [0, most], height - bottom, top);
  const step = Math.min((width - left - right) / shown.length, maxColumn);
  const end = left + step * shown.length;
  return (
    <div ref={element} class="history-plot">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {ticksOf([0, most], 3)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick}>
                <line class="plot-grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text class="plot-tick" x={left - 6} y={y(tick) + 4}>
                  {tick}
                </text>
              </g>
            ))}
          {shown.map((each, at) => (
            <g key={each.day}>
              <title>
                {`${monthOf(each)}: ${groups.map((group, index) => `${each.counts[index]} ${group}`).join(", ")}`}
              </title>
              {groups.map((group, index) => {
                const below = each.counts.slice(0, index).reduce((sum, count) => sum + count, 0);
                const count = each.counts[index] ?? 0;
                return (
                  <rect
                    key={group}
                    class={`group-${index}`}
                    x={left + step * at + 1}
                    width={Math.max(1, step - 2)}
                    y={y(below + count)}
                    height={y(below) - y(below + count)}
                  />
                );
              })}
            </g>
          ))}
          <text class="plot-below" x={left} y={height - 6} style={{ textAnchor: "start" }}>
            {monthOf(shown[0])}
          </text>
          <text class="plot-below" x={end} y={height - 6} style={{ textAnchor: "end" }}>
            {monthOf(shown.at(-1))}
          </text>
        </svg>
      )}
    </div>
  );
}

// Small chart with a column per period, a scale on the left, and labels below. A table must show the same data.
import type { ComponentChildren } from "preact";
import { type Domain, scaleTo, ticksOf } from "../../format/scale.ts";
import { useWidth } from "./use-width.ts";
import "./column-plot.css";

type Label = { readonly text: string; readonly tone?: string | undefined };

export type PlotColumn = {
  readonly id: string;
  /** Below the column, from top to bottom. */
  readonly labels: readonly Label[];
  /** Renders the column at an x position; `y` maps values to y positions. */
  readonly draw: (middle: number, width: number, y: (value: number) => number) => ComponentChildren;
};

type Props = {
  readonly label: string;
  readonly domain: Domain;
  readonly print: (value: number) => string;
  /** The last ones that fit are shown. */
  readonly columns: readonly PlotColumn[];
  /** Of a column. */
  readonly minWidth: number;
};

const height = 168;
const [left, top, lineHeight] = [44, 8, 14];

export function ColumnPlot({ label, domain, print, columns, minWidth }: Props) {
  const [element, width] = useWidth<HTMLDivElement>();
  const plotWidth = Math.max(0, width - left - 8);
  const shown = columns.slice(-Math.max(1, Math.floor(plotWidth / minWidth)));
  const columnWidth = Math.min(plotWidth / shown.length, 120);
  const lines = Math.max(...shown.map(({ labels }) => labels.length));
  const bottom = height - lines * lineHeight - 6;
  const y = (value: number): number => scaleTo(value, domain, bottom, top);
  return (
    <div ref={element} class="plot">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {ticksOf(domain).map((tick) => (
            <g key={tick}>
              <line class="plot-grid" x1={left} x2={width - 8} y1={y(tick)} y2={y(tick)} />
              <text class="plot-tick" x={left - 6} y={y(tick) + 4}>
                {print(tick)}
              </text>
            </g>
          ))}
          {shown.map(({ id, labels, draw }, at) => {
            const middle = left + columnWidth * (at + 0.5);
            return (
              <g key={id}>
                {draw(middle, columnWidth, y)}
                {labels.map(({ text, tone }, line) => (
                  <text key={line} class={`plot-below ${tone ?? ""}`} x={middle} y={bottom + (line + 1) * lineHeight}>
                    {text}
                  </text>
                ))}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

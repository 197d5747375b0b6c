// A small picture of values in columns, one a period: a scale at the left, words below each column.
// It says nothing that a table beside it does not say.
import type { ComponentChildren } from "preact";
import { type Domain, placed, ticksOf } from "../../format/scale.ts";
import { useWidth } from "./use-width.ts";
import "./column-plot.css";

type Below = { readonly text: string; readonly tone?: string | undefined };

export type PlotColumn = {
  readonly id: string;
  /** Texts below the column, the first at the top. */
  readonly below: readonly Below[];
  /** What is drawn in it: its middle, the width it has, and where values lie. */
  readonly draw: (middle: number, width: number, y: (value: number) => number) => ComponentChildren;
};

type Props = {
  readonly label: string;
  readonly domain: Domain;
  readonly print: (value: number) => string;
  /** The last ones are drawn, as many as there is room for. */
  readonly columns: readonly PlotColumn[];
  /** Width of a column at least. */
  readonly least: number;
};

const height = 168;
const [left, top, lineHeight] = [44, 8, 14];

export function ColumnPlot({ label, domain, print, columns, least }: Props) {
  const [element, width] = useWidth<HTMLDivElement>();
  const room = Math.max(0, width - left - 8);
  const shown = columns.slice(-Math.max(1, Math.floor(room / least)));
  const each = Math.min(room / shown.length, 120);
  const lines = Math.max(...shown.map(({ below }) => below.length));
  const bottom = height - lines * lineHeight - 6;
  const y = (value: number): number => placed(value, domain, bottom, top);
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
          {shown.map(({ id, below, draw }, at) => {
            const middle = left + each * (at + 0.5);
            return (
              <g key={id}>
                {draw(middle, each, y)}
                {below.map(({ text, tone }, line) => (
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

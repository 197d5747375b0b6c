// Chart of price targets: a stepped line per firm with a marker per change, and the mean.
import {
  type ChartOptions,
  ColorType,
  createChart,
  createSeriesMarkers,
  type DeepPartial,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type SeriesMarker,
  TickMarkType,
  type Time,
} from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "../../../app/signal.ts";
import { appliedTheme } from "../../../app/theme.ts";
import { dayText } from "../../../format/day.ts";
import { decimal } from "../../../format/number.ts";
import type { ChartData, Rating } from "./targets.ts";

/** Day and firm at the pointer. */
export type Hover = { readonly day: string; readonly firm: string | undefined };

type Props = {
  /** For screen readers. */
  readonly label: string;
  readonly data: ChartData;
  /** First visible day. */
  readonly from: string;
  /** The highlighted firm. */
  readonly selected: string | undefined;
  readonly onHover: (hover: Hover | undefined) => void;
};

type RenderedChart = {
  readonly chart: IChartApi;
  readonly lines: ReadonlyMap<ISeriesApi<"Line">, string>;
  readonly setMarkers: (selected: string | undefined) => void;
};

export function TargetChart({ label, data, from, selected, onHover }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const chartRef = useRef<RenderedChart>(undefined);
  const hoverHandler = useRef(onHover);
  hoverHandler.current = onHover;
  const colorScheme = useSignal(appliedTheme);
  useEffect(() => {
    if (container.current === null) return;
    const rendered = draw(container.current, data);
    chartRef.current = rendered;
    rendered.chart.subscribeCrosshairMove(({ time, hoveredSeries }) =>
      hoverHandler.current(
        typeof time === "string"
          ? { day: time, firm: rendered.lines.get(hoveredSeries as ISeriesApi<"Line">) }
          : undefined,
      ),
    );
    return () => rendered.chart.remove();
  }, [data, colorScheme]);
  useEffect(() => chartRef.current?.setMarkers(selected), [data, colorScheme, selected]);
  useEffect(() => {
    const first = data.means.findIndex(({ day }) => day >= from);
    const last = data.means.length - 1;
    chartRef.current?.chart
      .timeScale()
      .setVisibleLogicalRange({ from: first, to: last + (last - first) * rightMargin });
  }, [data, colorScheme, from]);
  return <div ref={container} class="target-chart" role="img" aria-label={label} />;
}

/** As a share of the visible range, so that today's marker isn't cut off. */
const rightMargin = 0.02;

/** A color of the current theme. */
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

type Colors = Readonly<Record<"text" | "faint" | "line" | "strongLine" | "accent" | "surface", string>>;

const themeColors = (): Colors => ({
  text: token("--text"),
  faint: token("--faint"),
  line: token("--line"),
  strongLine: token("--line-strong"),
  accent: token("--accent"),
  surface: token("--surface"),
});

const chartOptions = (container: HTMLElement, colors: Colors): DeepPartial<ChartOptions> => ({
  autoSize: true,
  layout: {
    background: { type: ColorType.Solid, color: colors.surface },
    textColor: colors.faint,
    fontFamily: getComputedStyle(container).fontFamily,
    fontSize: 11,
    // A link below the chart credits the library; the logo would add an inline style sheet.
    attributionLogo: false,
  },
  grid: { vertLines: { visible: false }, horzLines: { color: colors.line } },
  rightPriceScale: {
    borderVisible: false,
    entireTextOnly: true,
    scaleMargins: { top: 0.08, bottom: 0.06 },
  },
  timeScale: {
    borderColor: colors.line,
    minBarSpacing: 0.01,
    fixLeftEdge: true,
    tickMarkFormatter: tickText,
  },
  crosshair: { horzLine: { labelBackgroundColor: colors.faint }, vertLine: { labelBackgroundColor: colors.faint } },
  localization: { locale: "en-US", priceFormatter: (price: number) => decimal(price.toFixed(2)) },
  // The wheel scrolls the page; dragging moves the chart.
  handleScroll: { mouseWheel: false, vertTouchDrag: false },
  handleScale: { mouseWheel: false, axisPressedMouseMove: false },
});

function draw(container: HTMLElement, { lines: dataLines, means }: ChartData): RenderedChart {
  const colors = themeColors();
  const chart = createChart(container, chartOptions(container, colors));
  const plain = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const;
  const lines = new Map<ISeriesApi<"Line">, string>();
  const markerUpdates: ((selected: string | undefined) => void)[] = [];
  for (const { firm, runs, ratings } of dataLines) {
    for (const run of runs) {
      const series = chart.addSeries(LineSeries, {
        ...plain,
        lineType: LineType.WithSteps,
        color: colors.strongLine,
        lineWidth: 1,
      });
      series.setData(run.map(({ day, value }) => ({ time: day, value })));
      lines.set(series, firm);
      const days = new Set(run.map(({ day }) => day));
      const withTarget = ratings.filter(({ day, target }) => target !== undefined && days.has(day));
      const markers = createSeriesMarkers(series, [], { autoScale: false });
      markerUpdates.push((selected) => {
        const isSelected = selected === firm;
        const isMuted = selected !== undefined && !isSelected;
        const color = isSelected ? colors.text : isMuted ? colors.line : colors.strongLine;
        series.applyOptions({ color, lineWidth: isSelected ? 2 : 1 });
        if (isSelected) series.setSeriesOrder(lines.size);
        markers.setMarkers(isMuted ? [] : withTarget.map((rating) => markOf(rating, isSelected)));
      });
    }
  }
  // A point for every day also makes all days equally wide.
  const mean = chart.addSeries(LineSeries, {
    ...plain,
    color: colors.accent,
    lineWidth: 3,
    lineStyle: LineStyle.Solid,
    lastValueVisible: true,
  });
  mean.setData(means.map(({ day, mean: value }) => (value === undefined ? { time: day } : { time: day, value })));
  const setMarkers = (selected: string | undefined) => {
    for (const update of markerUpdates) update(selected);
  };
  return { chart, lines, setMarkers };
}

function tickText(time: Time, kind: TickMarkType): string {
  const [month = "", day = "", year = ""] = dayText(String(time)).replace(",", "").split(" ");
  if (kind === TickMarkType.Year) return year;
  return kind === TickMarkType.Month ? month : `${month} ${day}`;
}

/** Shape and color show whether the target was raised or lowered. */
function markOf({ id, day, target = 0, before }: Rating, isSelected: boolean): SeriesMarker<Time> {
  const shared = { id, time: day, position: "atPriceMiddle", price: target, size: isSelected ? 1 : 0.5 } as const;
  if (before !== undefined && target > before) return { ...shared, shape: "arrowUp", color: token("--up") };
  if (before !== undefined && target < before) return { ...shared, shape: "arrowDown", color: token("--down") };
  return { ...shared, shape: "circle", color: token("--faint") };
}

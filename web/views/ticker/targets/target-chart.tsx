// Price targets as a picture: a stepped line for each firm with a mark for each change, and their mean.
import {
  ColorType,
  createChart,
  createSeriesMarkers,
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
import { useCell } from "../../../app/signal.ts";
import { seen } from "../../../app/theme.ts";
import { dayText } from "../../../format/day.ts";
import { decimal } from "../../../format/number.ts";
import type { Drawing, Word } from "./targets.ts";

/** What the pointer is at. */
export type Pointed = { readonly day: string; readonly firm: string | undefined };

type Props = {
  /** In words, for those who do not see it. */
  readonly label: string;
  readonly drawing: Drawing;
  /** First day in sight. */
  readonly from: string;
  /** The firm that is set off from the others. */
  readonly chosen: string | undefined;
  readonly onPoint: (pointed: Pointed | undefined) => void;
};

type Drawn = {
  readonly chart: IChartApi;
  readonly lines: ReadonlyMap<ISeriesApi<"Line">, string>;
  readonly marks: (chosen: string | undefined) => void;
};

export function TargetChart({ label, drawing, from, chosen, onPoint }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const point = useRef(onPoint);
  point.current = onPoint;
  const look = useCell(seen);
  useEffect(() => {
    if (container.current === null) return;
    const made = draw(container.current, drawing);
    drawn.current = made;
    made.chart.subscribeCrosshairMove(({ time, hoveredSeries }) =>
      point.current(
        typeof time === "string" ? { day: time, firm: made.lines.get(hoveredSeries as ISeriesApi<"Line">) } : undefined,
      ),
    );
    return () => made.chart.remove();
  }, [drawing, look]);
  useEffect(() => drawn.current?.marks(chosen), [drawing, look, chosen]);
  useEffect(() => {
    const first = drawing.means.findIndex(({ day }) => day >= from);
    const last = drawing.means.length - 1;
    drawn.current?.chart.timeScale().setVisibleLogicalRange({ from: first, to: last + (last - first) * room });
  }, [drawing, look, from]);
  return <div ref={container} class="target-chart" role="img" aria-label={label} />;
}

/** At the right, as a share of what is seen, so that a mark of today is whole. */
const room = 0.02;

/** A colour of the theme that is seen now. */
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function draw(container: HTMLElement, { lines: drawnLines, means }: Drawing): Drawn {
  const colours = { text: token("--text"), faint: token("--faint"), line: token("--line"), accent: token("--accent") };
  const quiet = token("--line-strong");
  const chart = createChart(container, {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: token("--surface") },
      textColor: colours.faint,
      fontFamily: getComputedStyle(container).fontFamily,
      fontSize: 11,
      // Its maker is named below the picture, by a link of our own: this one brings its own style sheet.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.06 } },
    timeScale: {
      borderColor: colours.line,
      minBarSpacing: 0.01,
      fixLeftEdge: true,
      tickMarkFormatter: tickText,
    },
    crosshair: { horzLine: { labelBackgroundColor: colours.faint }, vertLine: { labelBackgroundColor: colours.faint } },
    localization: { locale: "en-US", priceFormatter: (price: number) => decimal(price.toFixed(2)) },
    // The page scrolls when it is scrolled; only what is dragged moves the picture.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
  });
  const plain = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const;
  const lines = new Map<ISeriesApi<"Line">, string>();
  const marking: ((chosen: string | undefined) => void)[] = [];
  for (const { firm, runs, words } of drawnLines) {
    for (const run of runs) {
      const series = chart.addSeries(LineSeries, {
        ...plain,
        lineType: LineType.WithSteps,
        color: quiet,
        lineWidth: 1,
      });
      series.setData(run.map(({ day, value }) => ({ time: day, value })));
      lines.set(series, firm);
      const days = new Set(run.map(({ day }) => day));
      const told = words.filter(({ day, target }) => target !== undefined && days.has(day));
      const marks = createSeriesMarkers(series, [], { autoScale: false });
      marking.push((chosen) => {
        const isChosen = chosen === firm;
        const isQuiet = chosen !== undefined && !isChosen;
        const color = isChosen ? colours.text : isQuiet ? colours.line : quiet;
        series.applyOptions({ color, lineWidth: isChosen ? 2 : 1 });
        if (isChosen) series.setSeriesOrder(lines.size);
        marks.setMarkers(isQuiet ? [] : told.map((word) => markOf(word, isChosen)));
      });
    }
  }
  // A value for every day also makes all days equally wide, whether or not something was said on them.
  const mean = chart.addSeries(LineSeries, {
    ...plain,
    color: colours.accent,
    lineWidth: 3,
    lineStyle: LineStyle.Solid,
    lastValueVisible: true,
  });
  mean.setData(means.map(({ day, mean: value }) => (value === undefined ? { time: day } : { time: day, value })));
  const marks = (chosen: string | undefined) => {
    for (const mark of marking) mark(chosen);
  };
  return { chart, lines, marks };
}

/** A year is named where it begins; a month by its name; a day of a month by both. */
function tickText(time: Time, kind: TickMarkType): string {
  const [month = "", day = "", year = ""] = dayText(String(time)).replace(",", "").split(" ");
  if (kind === TickMarkType.Year) return year;
  return kind === TickMarkType.Month ? month : `${month} ${day}`;
}

/** Raised, lowered, or neither: by shape and by colour. */
function markOf({ id, day, target = 0, before }: Word, isChosen: boolean): SeriesMarker<Time> {
  const shared = { id, time: day, position: "atPriceMiddle", price: target, size: isChosen ? 1 : 0.5 } as const;
  if (before !== undefined && target > before) return { ...shared, shape: "arrowUp", color: token("--up") };
  if (before !== undefined && target < before) return { ...shared, shape: "arrowDown", color: token("--down") };
  return { ...shared, shape: "circle", color: token("--faint") };
}

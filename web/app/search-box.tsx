// Search box: a company by ticker or name, or news by keywords.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Company, findCompanies } from "../api/companies.ts";
import { combobox, Options, type Suggestion, useActiveOption } from "../parts/filters/options.tsx";
import { useMedia } from "../parts/use-media.ts";
import { navigate } from "./location.ts";
import { useShortcuts } from "./shortcuts.ts";

const tickerHref = (ticker: string): string => `/ticker/${encodeURIComponent(ticker.toUpperCase())}`;
const newsHref = (text: string): string => `/news?topics=${encodeURIComponent(text)}`;

/** A company without records in any calendar may be in the news. */
const looksLikeTicker = (text: string): boolean => /^[A-Z][A-Z0-9.^/-]{0,7}$/.test(text);

/** Destinations for what is typed, the best one first. The value is a URL. */
function choicesOf(text: string, companies: readonly Company[]): Suggestion[] {
  const known = companies.map(({ ticker, name }) => ({ value: tickerHref(ticker), label: ticker, hint: name }));
  const isListed = companies.some(({ ticker }) => ticker === text);
  const ticker = { value: tickerHref(text), label: text, hint: "Company" };
  return [
    ...(looksLikeTicker(text) && !isListed ? [ticker] : []),
    ...known,
    { value: newsHref(text), label: `Search news for “${text}”` },
  ];
}

async function bestChoice(text: string): Promise<string> {
  const found = await findCompanies(text, new AbortController().signal);
  return choicesOf(text, found)[0]?.value ?? "/news";
}

const typingMs = 120;

/** Those that match, once typing pauses. */
function useCompanies(text: string): readonly Company[] {
  const [companies, setCompanies] = useState<readonly Company[]>([]);
  useEffect(() => {
    const aborter = new AbortController();
    const timer = setTimeout(() => void findCompanies(text, aborter.signal).then(setCompanies), typingMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [text]);
  return companies;
}

export function SearchBox() {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isNarrow = useMedia("(max-width: 640px)");
  const text = typed.trim();
  const choices = choicesOf(text, useCompanies(text));
  const list = useActiveOption(choices.length);
  useShortcuts([{ keys: "/", description: "search", run: () => input.current?.focus() }]);
  const go = (href: string) => {
    setTyped("");
    setOpen(false);
    list.reset();
    input.current?.blur();
    navigate(href);
  };
  /** Enter may be pressed before the companies have arrived. */
  const submit = async (event: Event) => {
    event.preventDefault();
    if (text !== "") go(choices[list.active]?.value ?? (await bestChoice(text)));
  };
  const isShown = isOpen && text !== "";
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          aria-label="Search companies and news"
          {...combobox("search-list", isShown, list.active)}
          placeholder={isNarrow ? "Search…" : "Company or news…"}
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            list.reset();
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") input.current?.blur();
            else list.onArrow(event);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        <span class="search-key keyboard-only">/</span>
      </form>
      {isShown && (
        <Options
          id="search-list"
          label="Search results"
          options={choices}
          active={Math.max(list.active, 0)}
          isSelected={() => false}
          onSelect={({ value }) => go(value)}
        />
      )}
    </search>
  );
}

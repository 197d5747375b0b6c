// Search box: a company by ticker, or news by keywords.
import { useRef, useState } from "preact/hooks";
import { navigate } from "./location.ts";
import { useShortcuts } from "./shortcuts.ts";

const tickerHref = (text: string): string => `/ticker/${encodeURIComponent(text.toUpperCase())}`;
const newsHref = (text: string): string => `/news?topics=${encodeURIComponent(text)}`;

/** Uppercase input is treated as a ticker, anything else as keywords. */
const looksLikeTicker = (text: string): boolean => /^[A-Z][A-Z0-9.^/-]{0,7}$/.test(text);

export function SearchBox() {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const text = typed.trim();
  useShortcuts([{ keys: "/", description: "search", run: () => input.current?.focus() }]);
  const go = (href: string) => {
    setTyped("");
    setOpen(false);
    input.current?.blur();
    navigate(href);
  };
  const isOneWord = text !== "" && !/\s/.test(text);
  const choices = [
    ...(isOneWord ? [{ href: tickerHref(text), label: `Company ${text.toUpperCase()}` }] : []),
    { href: newsHref(text), label: `Search news for “${text}”` },
  ];
  const ordered = looksLikeTicker(text) ? choices : choices.toReversed();
  return (
    <search
      class="search"
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        setOpen(false);
        input.current?.blur();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== "") go(ordered[0]?.href ?? "/news");
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search by ticker (uppercase) or news keywords"
          placeholder="Ticker or news…"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
        />
        <span class="search-key">/</span>
      </form>
      {open && text !== "" && (
        <ul class="search-choices">
          {ordered.map(({ href, label }, at) => (
            <li key={label}>
              <a
                href={href}
                onClick={(event) => {
                  event.preventDefault();
                  go(href);
                }}
              >
                {label} {at === 0 && <kbd>Enter</kbd>}
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

// Modal dialog.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** Escape doesn't close it, since what it shows would be lost. */
  readonly ignoresEscape?: boolean;
};

/** Open while it is mounted. */
export function Dialog({ title, onClose, children, wide = false, ignoresEscape = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = element.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "dialog wide" : "dialog"}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (!ignoresEscape) onClose();
      }}
      // Browsers let a page prevent only the first cancellation.
      onKeyDown={(event) => {
        if (ignoresEscape && event.key === "Escape") event.preventDefault();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

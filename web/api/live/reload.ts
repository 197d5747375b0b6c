// Reloads the page after an outage that interrupted the loading of its code. Many browsers cache the failure of an import
// for as long as the document lives (whatwg/html#6768), so that importing again would fail even once the server is back.
import { connectionLost, untilConnected } from "../connection.ts";
import { unreachable } from "../failure.ts";

/** Nothing happens if it is aborted before. State is in the URL, so none is lost. */
export async function reloadOnceConnected(signal: AbortSignal): Promise<void> {
  connectionLost(unreachable.detail);
  await untilConnected(signal);
  window.location.reload();
}

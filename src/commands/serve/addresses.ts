// Where the settings say that a server listens: for all, and for administration apart.
import { type Config, UsageError } from "../../config.ts";
import { PlainError } from "../../core/user-error.ts";
import type { ListenAddress } from "../../http/sockets.ts";

export type Places = {
  readonly open: ListenAddress;
  /** Where administration is served apart from the rest; undefined: with the rest. */
  readonly admin: ListenAddress | undefined;
};

export function placesOf(config: Config): Places {
  const [port, adminPort] = [config.get("port"), config.get("admin-port")];
  const open = { host: config.get("host"), port: Number(port) };
  if (adminPort === "") return { open, admin: undefined };
  const admin = { host: config.get("admin-host"), port: Number(adminPort) };
  if (admin.port !== 0 && admin.port === open.port)
    throw new UsageError(`--admin-port: expected another port than that of --port, got "${adminPort}" for both`);
  return { open, admin };
}

/** A port is in use by another program; the message names the setting that asks for it. */
export class PortTakenError extends PlainError {}

/** What listening failed with, in words where a person can mend it. */
export function listenFailure(error: unknown, { admin }: Places): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code !== "EADDRINUSE") return error;
  const flag = port === admin?.port ? "--admin-port" : "--port";
  const place = address?.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return new PortTakenError(`${flag}: ${place} is in use by another program; expected a free port, or 0 to take one`);
}

// The addresses to listen on: public, and optionally a separate one for administration.
import { type Config, UsageError } from "../../config.ts";
import { UserError } from "../../core/user-error.ts";
import type { ListenAddress } from "../../http/sockets.ts";

export type ListenAddresses = {
  readonly public: ListenAddress;
  /** Separate address for administration; undefined: on the public one. */
  readonly admin: ListenAddress | undefined;
};

export function listenAddresses(config: Config): ListenAddresses {
  const [port, adminPort] = [config.get("port"), config.get("admin-port")];
  const publicAddress = { host: config.get("host"), port: Number(port) };
  if (adminPort === "") return { public: publicAddress, admin: undefined };
  const admin = { host: config.get("admin-host"), port: Number(adminPort) };
  if (admin.port !== 0 && admin.port === publicAddress.port)
    throw new UsageError(`--admin-port: expected a port other than --port, got "${adminPort}" for both`);
  return { public: publicAddress, admin };
}

/** A port is in use by another program; the message names its setting. */
class PortInUseError extends UserError {}

/** A readable error where the operator can fix the cause. */
export function describeListenError(error: unknown, { admin }: ListenAddresses): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code !== "EADDRINUSE") return error;
  const flag = port === admin?.port ? "--admin-port" : "--port";
  const socket = address?.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return new PortInUseError(
    `${flag}: ${socket} is in use by another program; expected a free port, or 0 to choose one`,
  );
}

// The driver's client, with its gaps filled.
import pg from "pg";

/** Closes the socket when connecting fails, for example for lack of a password; the driver leaves it open. */
export class Client extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connecting = super.connect();
    connecting.catch(() => this.end().catch(() => {}));
    if (callback === undefined) return connecting;
    connecting.then(() => callback(undefined as unknown as Error), callback);
    return undefined;
  }
}

/** The driver reads this setting for each statement; 0 means no timeout. */
export function setQueryTimeout(client: pg.PoolClient, ms: number): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } };
  connectionParameters.query_timeout = ms;
}

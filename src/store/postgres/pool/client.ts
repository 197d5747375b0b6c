// What the driver's connections do not do by themselves.
import pg from "pg";

/** The driver leaves a connection open when it has failed to make it, as for the want of a password. */
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

/** A setting of the driver's connections that it looks at with each statement; 0 is no limit. */
export function limitEach(client: pg.PoolClient, ms: number): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } };
  connectionParameters.query_timeout = ms;
}

// Where keys are administered over HTTP.

/** All keys; one of them stands below it, by its name. */
export const keysPath = "/admin/v1/keys";

export const keyPath = (name: string): string => `${keysPath}/${name}`;

/** Where a key is replaced by another. */
export const rotatePath = (name: string): string => `${keyPath(name)}/rotate`;

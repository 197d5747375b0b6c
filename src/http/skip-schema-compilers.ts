// Keeps the framework from loading its compilers of schemas, a sixth of all modules that a server would load: no route
// has a schema, since requests are read by the rules of the resource.

const refuse = (): never => {
  throw new Error("a route has a schema; none is compiled here");
};

export const noSchemas = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } };

// Prevents Fastify from loading its schema compilers, a sixth of all modules the server would load. No route has a
// schema, since requests are parsed by the rules of the resource.

const refuse = (): never => {
  throw new Error("route schemas are not supported");
};

export const noSchemas = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } };

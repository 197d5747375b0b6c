// The parts of node:http that the server uses. An import statement would read every export of the module, and through
// its WebSocket load a whole HTTP client: a tenth of the startup time.
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");

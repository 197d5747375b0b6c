// What the server needs of Node's HTTP. An import statement would read every export of the module, and with its
// WebSocket load a whole HTTP client, which takes a tenth of the time to start.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

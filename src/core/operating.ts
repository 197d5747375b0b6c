// Where those who run a server ask it how it stands.

export const statusPath = "/admin/v1/status";
export const metricsPath = "/metrics";

/** Failures that a connection may heal. */

const WITHOUT_LINE = new Set(['NETWORK', 'CORS_OR_BLOCKED', 'SCRIPT']);

/** Did it fail for want of a connection? @param {any} error */
export const isOffline = ({ code }) => !navigator.onLine && WITHOUT_LINE.has(code);

const OF_NETWORK = new Set(['SCRIPT', 'NETWORK', 'CORS_OR_BLOCKED', 'HTTP', 'TRUNCATED']);

/** May it go well once the connection is back? A page in a file's place is a hotspot's. @param {any} error */
export const isOfNetwork = ({ code, details }) => OF_NETWORK.has(code) || details?.kind === 'page';

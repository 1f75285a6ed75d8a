/** Did it fail for want of a connection? @param {any} error */
export const isOffline = ({ code }) => !navigator.onLine && (code === 'NETWORK' || code === 'CORS_OR_BLOCKED');

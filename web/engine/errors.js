/**
 * Every failure of the engine: a code to act on, a message to read, details to show.
 */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {string} message what was expected and what was found
   * @param {Record<string, any>} [details]
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }
}

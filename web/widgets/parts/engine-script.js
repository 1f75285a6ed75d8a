/** The engine's own script, which comes when a figure first computes. */

/** What figures use of it; rejects with code SCRIPT when it does not come. */
export async function engineScript() {
  try {
    const { createEngine, inspectModel, loadTokenizer } = await import('../../engine/index.js');
    return { createEngine, inspectModel, loadTokenizer };
  } catch (error) {
    const found = String(/** @type {any} */ (error)?.message ?? error);
    const late = new Error(`engine: expected its script to arrive, found ${found}`);
    throw Object.assign(late, { code: 'SCRIPT', details: { found } });
  }
}

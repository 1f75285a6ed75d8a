/** A recording of one prompt: the run with its captures as one file for openRecording. */
import { EngineError } from '../engine/index.js';
import { topTokens } from '../lab/measure.js';
import { readPrompt } from './prompt.js';
import { openTargetFile } from './target.js';

/** What the page's figures look at; 'all' keeps everything and is much larger. */
const DEFAULT_CAPTURE = 'type,hIn,mixerOut,mlpOut,hOut,probs,v,gate,headOut,headContribution,headContributionUngated';

/** So many of the most probable next tokens are named. */
const NAMED = 16;

/** @param {import('../engine/engine.js').Engine} engine @param {any} given */
export async function run(engine, { base, text, ids: givenIds, out, capture = DEFAULT_CAPTURE }) {
  if (!out) throw new EngineError('BAD_OPTION', 'record: expected --out FILE, found none');
  const target = await openTargetFile(out);
  try {
    return await record(engine, target, { base, text, ids: givenIds, out, capture });
  } finally {
    await target.discard();
  }
}

async function record(engine, target, { base, text, ids: givenIds, out, capture }) {
  const { ids, pieces, tokenizer } = await readPrompt({ base, text, ids: givenIds });
  const model = await engine.openModel(base, { keep: 'stream' });
  try {
    const result = await model.forward(ids, { capture: capture === 'all' ? 'all' : capture.split(',') });
    const likely = topTokens(result.logits.data, NAMED).map(({ id }) => id);
    // one by one: what comes next is one of them, not all in a row
    const next = tokenizer && (await Promise.all(likely.map((id) => tokenizer.pieces([id])))).flat();
    const bytes = result.save({ prompt: text ?? '', pieces, next, date: new Date().toISOString().slice(0, 10) });
    await target.write(bytes);
    return { data: { out, bytes: bytes.length, tokens: ids, next: likely, layers: result.layers.length },
      lines: [`${out}: ${bytes.length} bytes, ${ids.length} tokens, ${result.layers.length} layers`] };
  } finally {
    await model.close();
  }
}

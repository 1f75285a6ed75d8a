#!/usr/bin/env node
/**
 * attention-by-hand on the command line: the page's computations without the page.
 * Every number printed comes from the WebAssembly exports. Bad input: one line on stderr, exit 2. A reader that has
 * enough (`| head`) is no failure: nothing is said, exit 141 as of a program that SIGPIPE ends.
 */
import { parseArgs } from 'node:util';
import { EngineError, createEngine } from './engine/index.js';

/** Command -> its options beside the common ones, its positional arguments, its module. */
const COMMANDS = {
  toy: { about: 'three tokens by hand: score, softmax, mix, mask, gate' },
  'gate-toy': { about: 'the gate of two heads at two words' },
  'gate-sgd': { about: 'a gate learns in 200 steps' },
  sweep: { about: 'K/V heads from 8 to 1: counted and measured' },
  layer: { takes: ['BASEURL', 'TEXT'], options: { layer: { type: 'string' } },
    about: 'one attention layer on embeddings: matrix, gate, counts (--layer N)' },
  model: { takes: ['BASEURL', 'TEXT'], options: { layers: { type: 'string' }, keep: { type: 'string' } },
    about: 'the whole forward pass: next tokens, first-token attention, value norms, gates' },
  record: { takes: ['BASEURL', 'TEXT'], options: { out: { type: 'string' }, capture: { type: 'string' } },
    about: 'a recording for openRecording (--out FILE)' },
  pack: { takes: ['BASEURL'], options: { out: { type: 'string' }, quantize: { type: 'string' } },
    about: 'the same model in files of at most 32 MiB (larger matrices by rows), with sums that reading checks '
      + '(--out DIR)' },
  verify: { takes: ['BASEURL'], options: { expect: { type: 'string' } },
    about: "the chapter's printed matrix, counts and shapes: pass or fail" },
};

const COMMON = {
  json: { type: 'boolean' }, help: { type: 'boolean' }, ids: { type: 'string' }, variant: { type: 'string' },
};

const usage = () => ['usage: attention-by-hand COMMAND [--json] [--variant simd]', '',
  ...Object.entries(COMMANDS).map(([name, { takes = [], about }]) =>
    `  ${[name, ...takes].join(' ').padEnd(24)} ${about}`), '',
  'BASEURL: address of a model folder, or a local folder. --ids 1,2,3 in place of TEXT.'].join('\n');

/** 128 and the number of SIGPIPE. */
const READER_GONE = 141;

/** A mistake of whoever typed the command. @returns {never} */
function wrong(message) {
  throw new EngineError('BAD_OPTION', message);
}

/** @param {string[]} argv */
function parse(argv) {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === 'help') return { help: true };
  if (!Object.hasOwn(COMMANDS, name)) wrong(`command: expected ${Object.keys(COMMANDS).join(', ')}, found ${name}`);
  const { takes = [], options = {} } = COMMANDS[name];
  let parsed;
  try {
    parsed = parseArgs({ args: rest, options: { ...COMMON, ...options }, allowPositionals: true });
  } catch (error) {
    wrong(`${name}: expected ${Object.keys({ ...COMMON, ...options }).map((o) => `--${o}`).join(', ')}, found: ` +
      error.message.split('\n')[0]);
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: true };
  const most = takes.length;
  const least = takes.filter((t) => t !== 'TEXT' || values.ids === undefined).length;
  if (positionals.length < least || positionals.length > most) {
    wrong(`${name}: expected ${takes.join(' ') || 'no arguments'}, found ${positionals.length} argument(s)`);
  }
  return { name, values, positionals };
}

/** Token ids of --ids, or of the text by the folder's tokenizer. */
function readIds(text) {
  const ids = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : NaN));
  if (ids.some(Number.isNaN)) wrong(`--ids: expected numbers such as 1,2,3, found ${text}`);
  return ids;
}

async function main() {
  const { help, name, values, positionals } = parse(process.argv.slice(2));
  if (help) {
    console.log(usage());
    return;
  }
  const ids = values.ids === undefined ? undefined : readIds(values.ids);
  const command = await import(`./cli/${name}.js`);
  const engine = await createEngine({ variant: /** @type {any} */ (values.variant ?? 'auto') });
  try {
    const { data, lines, failed } = await command.run(engine, { ...values, ids, base: positionals[0], text: positionals[1] });
    console.log(values.json ? JSON.stringify(data) : lines.join('\n'));
    if (failed) process.exitCode = 1;
  } finally {
    await engine.close();
  }
}

/** One line on stderr, whatever it was that went wrong. @param {any} error */
function tell(error) {
  const text = error instanceof EngineError ? `${error.message} [${error.code}]`
    : `unexpected: ${error?.message ?? error}`;
  // eslint-disable-next-line no-control-regex
  console.error(`attention-by-hand: ${text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')}`);
}

function end(error) {
  tell(error);
  process.exit(2);
}

process.on('uncaughtException', end);
process.stderr.on('error', () => process.exit(2));
process.stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE') process.exit(READER_GONE);
  end(new EngineError('BAD_OPTION', `output: expected a place to write to, found ${message}`));
});

try {
  await main();
} catch (error) {
  tell(error);
  process.exitCode = 2;
}

/**
 * Where the command line writes: nothing that was there is lost, whatever goes wrong; a place that cannot be written to
 * is refused before any work; every failure is one line on stderr and exit 2.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, link, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeFolder } from '../../tools/small-model/folder.mjs';
import { folderPath, golden } from '../helpers/golden.js';

const CLI = fileURLToPath(new URL('../../web/cli.js', import.meta.url));
const MODEL = folderPath('mqa8');
const IDS = golden('mqa8').tokens.join(',');

const root = await mkdtemp(join(tmpdir(), 'attn-target-'));
after(() => rm(root, { recursive: true, force: true }));
let count = 0;
/** A fresh folder with a copy of the model in it. */
async function room() {
  const dir = join(root, String(count++));
  await cp(MODEL, join(dir, 'model'), { recursive: true });
  return dir;
}

/** @returns {Promise<{ code: number, out: string, err: string }>} */
const run = (args, options = {}) => new Promise((resolve) => {
  execFile(process.execPath, [CLI, ...args], options, (error, out, err) =>
    resolve({ code: Number(error?.code ?? 0), out: String(out), err: String(err) }));
});

/** Every file below a folder with its content's sum. */
async function contents(dir) {
  const names = (await readdir(dir, { recursive: true })).sort();
  const sums = await Promise.all(names.map(async (name) => {
    const path = join(dir, name);
    if ((await stat(path)).isDirectory()) return `${name}/`;
    return `${name} ${createHash('sha256').update(await readFile(path)).digest('hex')}`;
  }));
  return sums.join('\n');
}

function checkRefused({ code, out, err }, about = /./) {
  assert.equal(code, 2, err);
  assert.equal(out, '');
  assert.match(err, /^attention-by-hand: [^\n]*expected[^\n]*found[^\n]*\n$/);
  assert.ok(err.length < 1000, `${err.length} letters`);
  assert.match(err, about);
}

for (const [what, make] of Object.entries({
  'as it is': (dir) => dir,
  'with a slash': (dir) => `${dir}/`,
  'with dots': (dir) => `${dir}/../model/.`,
  'by a relative path': (dir) => relative(process.cwd(), dir),
  'through a link': async (dir) => {
    await symlink(dir, `${dir}-link`);
    return `${dir}-link`;
  },
})) {
  test(`pack refuses the model's own folder: ${what}`, async () => {
    const model = join(await room(), 'model');
    const before = await contents(model);
    const out = await make(model);
    checkRefused(await run(['pack', model, '--out', out]), /the same folder/);
    checkRefused(await run(['pack', pathToFileURL(model).href, '--out', out]), /the same folder/);
    assert.equal(await contents(model), before);
  });
}

test('pack refuses a folder whose file is the model\'s, by a link', async () => {
  const dir = await room();
  const out = join(dir, 'out');
  await mkdir(out);
  await link(join(dir, 'model', 'config.json'), join(out, 'config.json'));
  const before = await contents(dir);
  checkRefused(await run(['pack', join(dir, 'model'), '--out', out]), /another file than those of the model/);
  assert.equal(await contents(dir), before);
});

test('a pack that fails leaves the folder as it was', async () => {
  const dir = await room();
  const model = join(dir, 'model');
  const out = join(dir, 'out');
  assert.equal((await run(['pack', model, '--out', out])).code, 0);
  const before = await contents(out);
  const file = join(model, (await readdir(model)).filter((name) => name.endsWith('.safetensors')).sort().at(-1));
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, bytes.length - 8)); // the header says more than there is
  checkRefused(await run(['pack', model, '--out', out]));
  assert.equal(await contents(out), before);
  checkRefused(await run(['pack', model, '--out', join(dir, 'new', 'deep')]));
  assert.ok(!(await readdir(dir)).includes('new'), 'the folder made for it is gone');
  await writeFile(file, bytes);
  await writeFile(join(out, 'config.json'), 'old');
  assert.equal((await run(['pack', model, '--out', out])).code, 0);
  assert.equal(await contents(out), before, 'whole again over what was there');
});

test('an interrupted run takes its temporaries along', async () => {
  const dir = await room();
  const script = `import { openTargetFolder } from ${JSON.stringify(new URL('../../web/cli/target.js', import.meta.url).href)};
    const target = await openTargetFolder(process.argv[1]);
    await target.put('a', 'text');
    console.log('written');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dir]);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  assert.ok((await readdir(dir)).some((name) => name.endsWith('.part')));
  child.kill('SIGTERM');
  assert.equal(await ended, 143);
  assert.deepEqual(await readdir(dir), ['model']);
});

/** Targets that cannot be, for a file and for a folder; made in dir. */
const LONG = 'x'.repeat(5000);
const FILE_TARGETS = {
  'a missing folder': (dir) => join(dir, 'none', 'a.safetensors'),
  'a folder': (dir) => join(dir, 'model'),
  'a folder with a slash': (dir) => `${join(dir, 'new')}/`,
  'below a file': (dir) => join(dir, 'model', 'config.json', 'a.safetensors'),
  'a name of 5000 letters': (dir) => join(dir, LONG),
  'a folder of 5000 letters': (dir) => join(dir, LONG, 'a'),
  'a device': () => '/dev/null',
  'a link to itself': async (dir) => {
    await symlink(join(dir, 'loop'), join(dir, 'loop'));
    return join(dir, 'loop');
  },
};
const FOLDER_TARGETS = {
  'a file': (dir) => join(dir, 'model', 'config.json'),
  'below a file': (dir) => join(dir, 'model', 'config.json', 'out'),
  'a name of 5000 letters': (dir) => join(dir, LONG),
  'a device': () => '/dev/null',
  'a link to itself': FILE_TARGETS['a link to itself'],
};

for (const [what, make] of Object.entries(FILE_TARGETS)) {
  test(`record refuses ${what} before it looks at the model`, async () => {
    const dir = await room();
    const out = await make(dir);
    const names = await readdir(dir);
    checkRefused(await run(['record', '/nowhere/at/all', '--ids', '1', '--out', out]), /--out: expected/);
    assert.deepEqual(await readdir(dir), names);
  });
}
for (const [what, make] of Object.entries(FOLDER_TARGETS)) {
  test(`pack refuses ${what} before it looks at the model`, async () => {
    const dir = await room();
    const out = await make(dir);
    const names = await readdir(dir);
    checkRefused(await run(['pack', '/nowhere/at/all', '--out', out]), /--out: expected/);
    assert.deepEqual(await readdir(dir), names);
  });
}

test('a folder without permission is refused', { skip: process.getuid?.() !== 0 && 'needs a second user' }, async () => {
  const dir = await room();
  await chmod(root, 0o755);
  await chmod(dir, 0o755);
  const nobody = { uid: 65534, gid: 65534, cwd: '/' };
  checkRefused(await run(['record', '/nowhere', '--ids', '1', '--out', join(dir, 'a')], nobody), /no permission/);
  checkRefused(await run(['pack', '/nowhere', '--out', dir], nobody), /no permission/);
  checkRefused(await run(['pack', '/nowhere', '--out', join(dir, 'new')], nobody), /no permission/);
  await chmod(join(dir, 'model', 'config.json'), 0o600);
  checkRefused(await run(['model', join(dir, 'model'), '--ids', '1'], nobody), /no permission/);
});

test('record goes through a link and over a file, and a failed one changes neither', async () => {
  const dir = await room();
  await writeFile(join(dir, 'old'), 'old');
  await symlink('old', join(dir, 'link'));
  checkRefused(await run(['record', join(dir, 'model'), '--ids', '99999999', '--out', join(dir, 'link')]));
  assert.equal(await readFile(join(dir, 'old'), 'utf8'), 'old');
  assert.equal((await run(['record', join(dir, 'model'), '--ids', IDS, '--out', join(dir, 'link')])).code, 0);
  assert.ok((await stat(join(dir, 'old'))).size > 1000);
  assert.deepEqual((await readdir(dir)).sort(), ['link', 'model', 'old']);
});

test('the small models\' writer keeps what was there until all is written', async () => {
  const dir = await room();
  await writeFile(join(dir, 'a'), 'old');
  await mkdir(join(dir, 'b'));
  await assert.rejects(writeFolder(dir, { a: 'new', b: 'cannot be' }), { code: 'BAD_OPTION' });
  assert.equal(await readFile(join(dir, 'a'), 'utf8'), 'old');
  assert.deepEqual((await readdir(dir)).sort(), ['a', 'b', 'model']);
});

for (const [what, args] of Object.entries({
  'a model path of 5000 letters': ['model', `/${LONG}`, '--ids', '1'],
  'a model folder that is a file': ['layer', join(MODEL, 'config.json'), '--ids', '1'],
  'a text for a folder without tokenizer': ['model', MODEL, 'text'],
  'a file address of another machine': ['model', 'file://elsewhere/x', '--ids', '1'],
  'expectations that are a folder': ['verify', MODEL, '--expect', MODEL],
  'expectations that are null': ['verify', MODEL, '--expect', '/dev/null'],
  'a capture that is not there': ['record', MODEL, '--ids', '1', '--capture', 'x\ny', '--out', join(root, 'r')],
  'a keep that is not there': ['model', MODEL, '--ids', '1', '--keep', 'frob'],
})) {
  test(`one line and exit 2: ${what}`, async () => checkRefused(await run(args)));
}

test('expectations of wrong kinds are one line and exit 2', async () => {
  const dir = await room();
  const expect = join(dir, 'expect.json');
  const good = { layer: 3, head: 0, ids: [1, 2], matrix: [[1], [0.5, 0.5]], tolerance: 1 };
  for (const content of ['null', '[]', '3', '{}', '{"layer":3}', ...[['head', -1], ['head', 99], ['matrix', null],
    ['matrix', [1]], ['matrix', [['a']]], ['tolerance', 'x'], ['ids', {}], ['layer', 'x'], ['prompt', 7]]
    .map(([key, value]) => JSON.stringify({ ...good, ...(key === 'prompt' && { ids: undefined }), [key]: value }))]) {
    await writeFile(expect, content);
    const found = await run(['verify', folderPath('tiny4'), '--expect', expect]);
    assert.equal(found.code, 2, `${content}: ${found.err}${found.out}`);
    checkRefused(found);
  }
});

test('a reader that has enough ends it without a word, as SIGPIPE would', async () => {
  const child = spawn(process.execPath, [CLI, 'sweep']);
  let err = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(err, '');
  assert.equal(code, 141);
});

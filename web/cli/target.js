/**
 * Where results are written: looked at before any work is done, filled under temporary names in the same folder, and
 * put in place at the end, all files one after the other. Until then nothing that was there is touched; after a failure
 * the temporaries are gone and the folder is as it was.
 */
import { rmSync } from 'node:fs';
import { access, constants, lstat, mkdir, open, realpath, rename, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../engine/errors.js';

/** What the system's words mean here. */
const MEANS = {
  EACCES: 'no permission to write', EPERM: 'no permission to write', EROFS: 'a disk that takes no writing',
  ENOENT: 'no such folder', ENOTDIR: 'a file in place of a folder', EISDIR: 'a folder in place of a file',
  ENAMETOOLONG: 'a path that is too long', ELOOP: 'a link to itself', ENOSPC: 'a full disk', EDQUOT: 'a full disk',
  ERR_INVALID_ARG_VALUE: 'a path with a character that none can have',
};

/** @param {unknown} path */
const shown = (path) => (String(path).length <= 80 ? String(path) : `${String(path).slice(0, 80)}…`);

/** @returns {never} */
function refuse(path, expected, found) {
  throw new EngineError('BAD_OPTION', `--out: expected ${expected}, found ${found}: ${shown(path)}`,
    { field: '--out', expected, found, path: String(path) });
}

/**
 * The promise, its failure told in our words.
 * @template T @param {string} path @param {string} expected @param {Promise<T>} work @returns {Promise<T>}
 */
const explained = (path, expected, work) => work.catch((error) => {
  if (error instanceof EngineError) throw error;
  return refuse(path, expected, MEANS[error.code] ?? error.code ?? error.message);
});

/** Which file or folder a path leads to in the end, undefined where there is none. @param {string} path */
async function identity(path) {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** @param {string} base of a model: an address or a local folder @returns {string | undefined} the local folder */
function localPath(base) {
  try {
    if (/^file:/i.test(base)) return fileURLToPath(base);
  } catch {
    return undefined; // opening it says what is wrong
  }
  return /^[a-z][a-z0-9+.-]+:/i.test(base) ? undefined : base;
}

/** Temporaries of this process that are not in place yet: an interrupted run takes them along. @type {Set<string>} */
const temporaries = new Set();
const sweep = (signal) => {
  for (const path of temporaries) rmSync(path, { force: true });
  process.exit(signal === 'SIGINT' ? 130 : 143);
};
let count = 0;

/** Files on their way into one folder. */
export class Target {
  #folder;
  #made;
  /** Final name -> temporary path. @type {Map<string, string>} */
  #files = new Map();

  /** @param {string} folder it exists @param {string} [made] the outermost folder that was made for it */
  constructor(folder, made) {
    this.#folder = folder;
    this.#made = made;
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, sweep);
  }

  #letGo() {
    for (const path of this.#files.values()) temporaries.delete(path);
    this.#files.clear();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, sweep);
  }

  /** Refuses a file that would take the place of a folder or a device. @param {string} name */
  async #check(name) {
    const path = join(this.#folder, name);
    const found = await lstat(path).catch((error) => {
      if (error.code === 'ENOENT') return undefined;
      return refuse(path, 'a file', MEANS[error.code] ?? error.code);
    });
    if (found?.isDirectory()) refuse(path, 'a file', 'a folder');
    if (found && !found.isFile() && !found.isSymbolicLink()) refuse(path, 'a file', 'something that is no file');
  }

  /**
   * A file to be filled from its start to its end; close() it before commit().
   * @param {string} name within the folder
   * @returns {Promise<{ write: (chunk: Uint8Array | string) => Promise<void>, close: () => Promise<void> }>}
   */
  async create(name) {
    await this.#check(name);
    const path = join(this.#folder, `.attn-${process.pid}-${count++}.part`);
    temporaries.add(path);
    this.#files.set(name, path);
    const handle = await explained(this.#folder, 'a folder that can be written to', open(path, 'wx'));
    return {
      write: (chunk) => explained(name, 'room for the file', handle.appendFile(chunk)),
      close: () => handle.close(),
    };
  }

  /** A small file in one piece. @param {string} name @param {Uint8Array | string} content */
  async put(name, content) {
    const file = await this.create(name);
    try {
      await file.write(content);
    } finally {
      await file.close();
    }
  }

  /** Refuses to take the place of a file that is being read. @param {Iterable<string>} paths of the files read */
  async keepApart(paths) {
    const read = new Map();
    for (const path of paths) {
      const id = await identity(path);
      if (id) read.set(id, path);
    }
    for (const name of this.#files.keys()) {
      const source = read.get(await identity(join(this.#folder, name)));
      if (source) refuse(join(this.#folder, name), 'another file than those of the model', `the same as ${source}`);
    }
  }

  /** Everything in place, in the order of creation. */
  async commit() {
    for (const name of this.#files.keys()) await this.#check(name);
    for (const [name, path] of this.#files) {
      const to = join(this.#folder, name);
      await explained(to, 'a place for the file', rename(path, to));
    }
    this.#made = undefined;
    this.#letGo();
  }

  /** Nothing in place: the temporaries go, and the folders that were made for them. Does nothing after commit(). */
  async discard() {
    const made = this.#made;
    for (const path of this.#files.values()) rmSync(path, { force: true });
    this.#letGo();
    this.#made = undefined;
    if (!made) return;
    const outermost = resolve(made);
    for (let at = resolve(this.#folder); at.length >= outermost.length; at = dirname(at)) {
      if (!await rmdir(at).then(() => true, () => false)) return;
    }
  }
}

/**
 * A folder to write to, made when it is not there.
 * @param {string} out @param {{ base?: string }} [options] base: of the model that is read, which must lie elsewhere
 * @returns {Promise<Target>}
 */
export async function openTargetFolder(out, { base } = {}) {
  const found = await stat(out).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    return refuse(out, 'a folder', MEANS[error.code] ?? error.code);
  });
  if (found && !found.isDirectory()) refuse(out, 'a folder', 'a file');
  const source = base === undefined ? undefined : localPath(base);
  if (found && source !== undefined && await identity(source) === `${found.dev}:${found.ino}`) {
    refuse(out, "another folder than the model's own", 'the same folder');
  }
  if (found) await explained(out, 'a folder that can be written to', access(out, constants.W_OK | constants.X_OK));
  const made = await explained(out, 'a folder that can be made', mkdir(out, { recursive: true }));
  return new Target(out, made);
}

/**
 * One file to write to; its folder must be there. A link is followed.
 * @param {string} out
 * @returns {Promise<{ write: (content: Uint8Array | string) => Promise<void>, discard: () => Promise<void> }>}
 */
export async function openTargetFile(out) {
  if (/[/\\]$/.test(out)) refuse(out, 'the name of a file', 'the name of a folder');
  const link = await lstat(out).then((found) => found.isSymbolicLink(), () => false);
  const path = link ? await explained(out, 'a file', realpath(out)) : out;
  const folder = dirname(path);
  const found = await explained(out, 'a file in a folder that is there', stat(folder));
  if (!found.isDirectory()) refuse(out, 'a file in a folder', 'a file in place of the folder');
  await explained(out, 'a folder that can be written to', access(folder, constants.W_OK | constants.X_OK));
  const target = new Target(folder);
  try {
    const file = await target.create(basename(path));
    return {
      async write(content) {
        await file.write(content);
        await file.close();
        await target.commit();
      },
      async discard() {
        await file.close().catch(() => {});
        await target.discard();
      },
    };
  } catch (error) {
    await target.discard();
    throw error;
  }
}

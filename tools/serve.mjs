// A static server for the built page and, beside it, a local model folder with byte ranges:
//   node tools/serve.mjs [--port 8080] [--host localhost] [--site build/site] [--model FOLDER] [--check]
// The model is served under /model/, and / leads to the page with ?src=/model/. --check only looks at the arguments.
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/**
 * The bytes a Range header asks for. Several ranges at once are answered with the whole file, as RFC 9110 allows.
 * @param {string | undefined} header
 * @param {number} size of the file
 * @returns {{ start: number, end: number } | 'all' | 'bad'} end is included; 'bad' lies outside the file
 */
export function parseRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (!match[1] && !match[2])) return 'all';
  const start = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]));
  const end = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1;
  if (match[1] && match[2] && Number(match[2]) < start) return 'all';
  return start < size && start <= end ? { start, end } : 'bad';
}

/**
 * The file a URL path names inside a folder, or null. Names that climb out of the folder are refused; links inside it
 * are followed, because model folders of the hub's cache consist of links.
 * @param {string} folder
 * @param {string} path decoded, relative
 * @returns {{ file: string, size: number, mtime: Date } | null}
 */
function findFile(folder, path) {
  const root = resolve(folder);
  let file = resolve(root, `.${sep}${path}`);
  if (path.includes('\0') || (file !== root && !file.startsWith(root + sep))) return null;
  let stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    file = resolve(file, 'index.html');
    stat = statSync(file, { throwIfNoEntry: false });
  }
  return stat?.isFile() ? { file, size: stat.size, mtime: stat.mtime } : null;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {{ file: string, size: number, mtime: Date }} found
 */
function sendFile(request, response, { file, size, mtime }) {
  const etag = `"${size.toString(36)}-${mtime.getTime().toString(36)}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();

  const ifRange = request.headers['if-range'];
  const range = ifRange && ifRange !== etag ? 'all' : parseRange(request.headers.range, size);
  if (range === 'bad') return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
  if (range === 'all') {
    response.writeHead(200, { 'Content-Length': size });
  } else {
    const { start, end } = range;
    response.writeHead(206, { 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` });
  }
  if (request.method === 'HEAD' || size === 0) return void response.end();
  // a reader who leaves half-way is no error of the server
  pipeline(createReadStream(file, range === 'all' ? {} : range), response, () => {});
}

/**
 * @param {{ site: string, model?: string }} folders
 * @returns {import('node:http').Server} not yet listening
 */
export function createSiteServer({ site, model }) {
  return createServer((request, response) => {
    const plain = (status, text) => response.writeHead(status, { 'Content-Type': TYPES['.txt'] }).end(`${text}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD');
    let path;
    try {
      path = decodeURIComponent(request.url.replace(/[?#].*/s, ''));
    } catch {
      return plain(400, 'bad address');
    }
    if (model && request.url === '/') return void response.writeHead(302, { Location: '/?src=/model/' }).end();
    const inModel = model && path.startsWith('/model/');
    const found = inModel ? findFile(model, path.slice('/model/'.length)) : findFile(site, path.slice(1));
    return found ? sendFile(request, response, found) : plain(404, `not found: ${path}`);
  });
}

/**
 * @param {string} model
 * @returns {string | null} why the folder cannot be a model
 */
function modelProblem(model) {
  if (!statSync(model, { throwIfNoEntry: false })?.isDirectory()) return `MODEL=${model} is not a folder`;
  if (!findFile(model, 'config.json')) return `MODEL=${model} has no config.json, which a model folder has`;
  return null;
}

function fail(message) {
  console.error(`serve: ${message}`);
  process.exit(2);
}

function main() {
  let options;
  try {
    options = parseArgs({
      options: {
        port: { type: 'string', default: '8080' },
        host: { type: 'string', default: 'localhost' },
        site: { type: 'string', default: fileURLToPath(new URL('../build/site', import.meta.url)) },
        model: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error.message);
  }
  const { host, site, model, check } = options;
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) return fail(`PORT=${options.port} is not a port number`);
  const problem = model === undefined ? null : modelProblem(model);
  if (problem) return fail(problem);
  if (check) return;
  if (!findFile(site, 'index.html')) return fail(`${site} has no index.html: run make site first`);

  const server = createSiteServer({ site, model });
  server.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
    fail(error.code === 'EADDRINUSE' ? `port ${port} is taken: choose another with PORT=` : error.message));
  server.listen(port, host, () => {
    const address = server.address();
    const real = typeof address === 'object' && address ? address.port : port;
    if (model) console.log(`serving the model folder ${model} under /model/`);
    console.log(`http://${host}:${real}/${model ? '?src=/model/' : ''}`);
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();

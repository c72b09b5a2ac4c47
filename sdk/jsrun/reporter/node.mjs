// A reporter of node:test: events for what sett reads.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
const { emit, problem, log } = createRequire(import.meta.url)('./emit.cjs');

export default async function* (source) {
  emit({ e: 'run', runner: 'node:test', cwd: process.cwd() });
  const above = []; // the names of the tests that the next one is in, by depth
  const live = new Map(); // file → the same for what is running, as far as that can be known
  const files = new Set();
  for await (const { type, data } of source) {
    const file = data.file;
    if (file && type !== 'test:enqueue' && !files.has(file)) {
      files.add(file);
      emit({ e: 'file', file });
    }
    switch (type) {
      case 'test:start':
        above.length = data.nesting;
        above[data.nesting] = data.name;
        break;
      case 'test:dequeue': {
        const names = live.get(file) || [];
        names.length = data.nesting;
        names[data.nesting] = data.name;
        live.set(file, names);
        if (!whole(data)) emit({ e: 'begin', file, name: [...names] });
        break;
      }
      case 'test:complete': {
        const above = (live.get(file) || []).slice(0, data.nesting);
        const event = result(data.details?.passed !== false, data, above);
        if (event.e !== 'whole') emit({ ...event, e: event.e === 'test' ? 'complete' : 'over' });
        break;
      }
      case 'test:pass':
      case 'test:fail':
        emit(result(type === 'test:pass', data, above.slice(0, data.nesting)));
        break;
      case 'test:stdout':
      case 'test:stderr':
        log({ file }, data.message);
        break;
      case 'test:diagnostic':
        if (/^(Error|Warning): /.test(data.message)) emit({ e: 'diagnostic', file, text: data.message, line: data.line, col: data.column });
        break;
    }
  }
  for (const file of files) emit({ e: 'fileend', file });
  emit({ e: 'end' });
}

function result(ok, data, above) {
  const err = data.details?.error;
  const cause = err?.cause && typeof err.cause === 'object' ? err.cause : undefined;
  const p = err && problem(cause ?? err.cause ?? err);
  const event = {
    e: 'test', file: data.file, line: data.line, col: data.column, name: [...above, data.name],
    state: ok ? 'pass' : 'fail', ms: data.details?.duration_ms, errors: p && [p], failure: err?.failureType,
  };
  const reason = data.skip ?? data.todo;
  if (reason !== undefined && reason !== false) {
    event.state = data.skip !== undefined && data.skip !== false ? 'skip' : 'todo';
    if (typeof reason === 'string') event.reason = reason;
  }
  if (data.details?.type === 'suite') event.e = 'suite';
  if (whole(data)) {
    event.e = 'whole';
    event.n = err?.exitCode;
    event.reason = err?.signal ?? undefined;
  }
  return event;
}

// whole: a file is a test with the name of the file.
function whole(data) {
  return data.nesting === 0 && data.file && (data.name === data.file || resolve(data.name) === data.file);
}

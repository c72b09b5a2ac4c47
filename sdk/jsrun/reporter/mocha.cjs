// A reporter of mocha: events for what sett reads. Mocha has one reporter, so this one calls
// the one that the script named.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const { emit, problem } = require('./emit.cjs');

module.exports = class {
  constructor(runner, options) {
    this.shown = shown(runner, options);
    const config = JSON.parse(fs.readFileSync(path.join(__dirname, 'config.json'), 'utf8'));
    if (config.files) {
      keep(runner.suite, config.files.map(real));
      runner.total = runner.suite.total();
    }
    const files = new Set();
    runner.suite.eachTest((t) => files.add(t.file));
    emit({ e: 'total', n: files.size });

    let file;
    const at = (test) => {
      const now = test.file || test.parent?.file || file;
      if (now === file) return now;
      if (file) emit({ e: 'fileend', file });
      file = now;
      if (file) emit({ e: 'file', file });
      return now;
    };
    const tell = (test, state, err) =>
      emit({ e: 'test', file: at(test), name: test.titlePath(), state, ms: test.duration, errors: err && [problem(err), ...(err.multiple || []).map(problem)] });

    runner.on('test', (test) => emit({ e: 'begin', file: at(test), name: test.titlePath() }));
    runner.on('pass', (test) => tell(test, 'pass'));
    runner.on('pending', (test) => tell(test, 'skip'));
    runner.on('fail', (test, err) => {
      if (test.type === 'hook') emit({ e: 'hook', file: at(test.ctx?.currentTest || test), name: test.titlePath(), errors: [problem(err)] });
      else tell(test, 'fail', err);
    });
    runner.once('end', () => {
      if (file) emit({ e: 'fileend', file });
      emit({ e: 'end' });
    });
  }
  done(failures, fn) {
    if (this.shown?.done) this.shown.done(failures, fn);
    else fn(failures);
  }
};

function real(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

// keep leaves only the tests of the files and folders.
function keep(suite, places) {
  suite.tests = suite.tests.filter((t) => {
    const file = t.file && real(t.file);
    return places.some((p) => file === p || file?.startsWith(p + path.sep));
  });
  for (const s of suite.suites) keep(s, places);
}

// shown is what people see.
function shown(runner, options) {
  const name = process.env.SETT_MOCHA_REPORTER || 'spec';
  try {
    const of = createRequire(fs.realpathSync(process.argv[1]));
    const { reporters } = of('mocha');
    const Reporter = reporters[name] || createRequire(path.join(process.cwd(), 'x'))(name);
    return new Reporter(runner, options);
  } catch (e) {
    process.stderr.write('the reporter ' + name + ' cannot be shown: ' + e + '\n');
    return undefined;
  }
}

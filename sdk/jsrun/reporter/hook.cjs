// Loaded before anything else by every node process of a script (NODE_OPTIONS). In a process
// that is a test runner it adds our reporter and the selection of tests to the arguments; in
// every other one it does nothing.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');

const runners = [
  ['vitest', /\/vitest\/(vitest\.mjs|dist\/cli(-wrapper)?\.js)$/],
  ['jest', /\/jest(-cli)?\/bin\/jest(\.js)?$|\/react-scripts\/scripts\/test\.js$/],
  ['mocha', /\/mocha\/bin\/_?mocha(\.[cm]?js)?$/],
];

// Flags that are followed by no value of their own.
const lone = /^(--no-.*|--run|--coverage|--silent|--passWithNoTests|--verbose|--ci|-i|--runInBand|--detectOpenHandles|--forceExit|--update|-u|--globals|--exit|--isolate|--watch=.*|--[^=]*=.*)$/;

if (isMainThread) {
  const runner = find();
  if (runner) {
    const config = JSON.parse(fs.readFileSync(path.join(__dirname, 'config.json'), 'utf8'));
    leave(config.option);
    if (runner !== 'node:test' && change(runner, config)) {
      require('./emit.cjs').emit({ e: 'run', runner, cwd: process.cwd() });
    }
  }
}

function find() {
  if (process.execArgv.includes('--test')) return 'node:test';
  let script = process.argv[1];
  if (!script) return undefined;
  try {
    script = fs.realpathSync(script);
  } catch {
    // what a loader makes up, as Plug'n'Play does, is good as it is
  }
  script = script.replaceAll('\\', '/');
  return runners.find(([, where]) => where.test(script))?.[0];
}

// leave takes us out of the environment: what the tests start is none of our business.
function leave(option) {
  const left = (process.env.NODE_OPTIONS || '').replace(option, '').trim();
  if (left) process.env.NODE_OPTIONS = left;
  else delete process.env.NODE_OPTIONS;
}

// change rewrites the arguments, unless the runner was called for something else than tests.
function change(runner, config) {
  const given = process.argv.slice(2);
  let args = given.filter((a) => !/^--(watch|watchAll)(=.*)?$/.test(a) && a !== '-w');
  if (runner === 'vitest') {
    const verb = /^(run|dev|watch|related|list|bench|init)$/.exec(args[0] || '')?.[0];
    if (verb === 'list' || verb === 'bench' || verb === 'init') return false;
    if (verb === 'dev' || verb === 'watch') args[0] = 'run';
    else if (!verb) args.unshift('run');
    if (verb === 'related') args.push('--run');
    if (config.narrowed) args = args.filter((a) => !/^--coverage(\.enabled)?(=true)?$/.test(a));
    if (config.files) {
      take(runner, config, args.slice(1));
      args = [args[0], ...withoutPaths(args.slice(1))];
    }
    if (!args.some((a) => a.startsWith('--reporter'))) args.push('--reporter=default');
  } else if (args.some((a) => /^(--version|--help|-h|-V|--listTests|--showConfig|--init|--list-reporters|--list-interfaces)$/.test(a))) {
    return false;
  } else if (runner === 'jest') {
    if (config.files) {
      take(runner, config, args);
      args = withoutPaths(args);
    }
    if (!args.some((a) => a.startsWith('--reporters'))) args.push('--reporters=default');
  } else {
    args = takeReporter(args);
    if (config.files) take(runner, config, args);
  }
  const { first, last } = config[runner];
  const verb = runner === 'vitest' ? args.splice(0, 1) : [];
  process.argv.splice(2, given.length, ...verb, ...first, ...args, ...last, ...config.args);
  return true;
}

// take leaves, of the places that are asked for, those that are this runner's in a script
// that starts several, each for some of the files; with none the runner has nothing to do.
function take(runner, config, args) {
  const own = args.filter(isPath);
  if (!config.several || !own.length) return;
  const { first } = config[runner];
  const kept = config.files.map((file) => own.some((p) => fits(runner, p, file)));
  if (!kept.includes(true)) {
    require('./emit.cjs').emit({ e: 'idle' });
    process.exit(0);
  }
  config[runner].first = first.filter((_, i) => kept[i]);
}

// fits says whether a place that a script names has a file, or is in a folder.
function fits(runner, place, file) {
  const fixed = path.resolve(place.replace(/[*?[{(].*$/, ''));
  if (fixed.startsWith(file + path.sep)) return true;
  switch (runner) {
    case 'jest':
      try {
        return new RegExp(place, 'i').test(file);
      } catch {
        return true;
      }
    case 'vitest':
      return file.includes(place) || file.startsWith(fixed);
    default:
      return file.startsWith(fixed);
  }
}

// isPath: neither a flag nor what the flag before it takes.
function isPath(arg, i, args) {
  return !arg.startsWith('-') && !(i > 0 && args[i - 1].startsWith('-') && !lone.test(args[i - 1]));
}

// withoutPaths drops the places that the script itself asks for, since others are asked for.
function withoutPaths(args) {
  return args.filter((a, i) => !isPath(a, i, args));
}

// takeReporter: mocha has only one reporter, so that ours must call the one that was meant.
function takeReporter(args) {
  const left = [];
  for (let i = 0; i < args.length; i++) {
    const long = /^(?:--reporter|-R)=(.*)$/.exec(args[i]);
    if (long) process.env.SETT_MOCHA_REPORTER = long[1];
    else if (args[i] === '--reporter' || args[i] === '-R') process.env.SETT_MOCHA_REPORTER = args[++i];
    else left.push(args[i]);
  }
  return left;
}

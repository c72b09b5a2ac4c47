// What the reporters share: events, a line each, appended to one file.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const util = require('node:util');

const most = 16 << 10; // characters of one text
let out;

function emit(event) {
  out ??= fs.openSync(path.join(__dirname, 'events'), 'a');
  fs.writeSync(out, JSON.stringify({ ...event, pid: process.pid }) + '\n');
}

function cut(text) {
  return text.length > most ? text.slice(0, most) + '...' : text;
}

// show is a value as text; undefined where the error has no such value.
function show(owner, key) {
  if (!(key in owner)) return undefined;
  const value = owner[key];
  return cut(typeof value === 'string' ? value : util.inspect(value, { depth: 6, maxArrayLength: 200, breakLength: 100 }));
}

// problem is what anybody threw, as an event carries it.
function problem(err) {
  if (typeof err === 'string') return { message: cut(err) };
  if (err === null || typeof err !== 'object') return { message: util.inspect(err) };
  try {
    const p = { name: text(err.name), message: text(err.message), stack: text(err.stack) };
    if (!p.message && !p.stack) p.message = cut(util.inspect(err));
    if (p.message && err.cause?.message) p.message += '\ncaused by: ' + text(err.cause.message);
    if (err.showDiff !== false) {
      p.expected = show(err, 'expected');
      p.actual = show(err, 'actual');
    }
    if (Array.isArray(err.stacks)) {
      p.frames = err.stacks.slice(0, 20).map((s) => ({ file: text(s.file), line: s.line, col: s.column }));
    }
    return p;
  } catch (e) {
    return { message: 'an error that cannot be read: ' + e };
  }
}

function text(value) {
  return value === undefined || value === null ? undefined : cut(String(value));
}

// log says what a test printed, up to a limit for each.
const printed = new Map();
function log(event, words) {
  const key = JSON.stringify(event);
  const had = printed.get(key) || 0;
  if (had >= most) return;
  printed.set(key, had + words.length);
  emit({ e: 'log', ...event, text: cut(words) });
}

module.exports = { emit, problem, log };

// A reporter of vitest: events for what sett reads. Vitest 3 and later tell of each test as it
// happens; earlier ones tell of changed tasks.
import { createRequire } from 'node:module';
const { emit, problem, log } = createRequire(import.meta.url)('./emit.cjs');

const states = { passed: 'pass', failed: 'fail', skipped: 'skip', pass: 'pass', fail: 'fail', skip: 'skip', todo: 'todo' };

function path(task) {
  const names = [];
  for (let t = task; t && t.type !== 'module' && t.type !== 'file' && t !== task.file; t = t.parent || t.suite) {
    if (t.name) names.unshift(t.name);
  }
  return names;
}

export default class {
  seen = new Set();

  onInit(ctx) {
    this.ctx = ctx;
    this.modern = parseInt(ctx.version, 10) >= 3;
  }

  // Vitest 3 and later.
  onTestRunStart(specs) {
    if (this.modern) emit({ e: 'total', n: specs.length });
  }
  onTestModuleStart(module) {
    if (this.modern) emit({ e: 'file', file: module.moduleId });
  }
  onTestCaseReady(test) {
    if (this.modern) emit({ e: 'begin', file: test.module.moduleId, name: path(test) });
  }
  onTestCaseResult(test) {
    if (!this.modern) return;
    const result = test.result();
    const todo = test.options?.mode === 'todo' || test.task?.mode === 'todo';
    emit({
      e: 'test', file: test.module.moduleId, name: path(test), state: todo ? 'todo' : states[result.state] || 'skip',
      reason: result.note, ms: test.diagnostic()?.duration, errors: result.errors?.map(problem),
    });
  }
  onTestSuiteResult(suite) {
    const errors = this.modern ? suite.errors() : [];
    if (errors.length) emit({ e: 'hook', file: suite.module.moduleId, name: path(suite), errors: errors.map(problem) });
  }
  onTestModuleEnd(module) {
    if (!this.modern || this.seen.has(module.id)) return;
    this.seen.add(module.id);
    const errors = module.errors();
    const empty = module.children.size === 0;
    if (errors.length) emit({ e: empty ? 'broken' : 'hook', file: module.moduleId, errors: errors.map(problem) });
    emit({ e: 'fileend', file: module.moduleId, ms: module.diagnostic()?.duration });
  }
  onTestRunEnd(modules, errors) {
    if (!this.modern) return;
    for (const module of modules) this.onTestModuleEnd(module); // one that could not be loaded has not ended
    this.end(errors);
  }

  // Before vitest 3.
  onCollected(files) {
    if (this.modern) return;
    for (const file of files || []) emit({ e: 'file', file: file.filepath });
  }
  onTaskUpdate(packs) {
    if (this.modern) return;
    for (const [id] of packs) {
      const task = this.ctx.state.idMap.get(id);
      if (!task || !task.result) continue;
      if (task.type === 'suite' && task.filepath && task.result.state !== 'run') emit({ e: 'fileend', file: task.filepath });
      if (task.type !== 'test' && task.type !== 'custom') continue;
      if (task.result.state === 'run') emit({ e: 'begin', file: task.file.filepath, name: path(task) });
      else this.task(task);
    }
  }
  onFinished(files, errors) {
    if (this.modern) return;
    for (const file of files || []) this.walk(file, file);
    this.end(errors || []);
  }
  walk(task, file) {
    if (task.type === 'test' || task.type === 'custom') return this.task(task);
    const own = task.result?.errors;
    if (own?.length) {
      const empty = task === file && !task.tasks.length;
      emit({ e: empty ? 'broken' : 'hook', file: file.filepath, name: task === file ? undefined : path(task), errors: own.map(problem) });
    }
    for (const t of task.tasks || []) this.walk(t, file);
    if (task === file && !this.seen.has(file.id)) emit({ e: 'fileend', file: file.filepath });
  }
  task(task) {
    if (this.seen.has(task.id)) return;
    this.seen.add(task.id);
    const state = task.mode === 'todo' ? 'todo' : states[task.result?.state] || 'skip';
    emit({
      e: 'test', file: task.file.filepath, name: path(task), state,
      ms: task.result?.duration, errors: task.result?.errors?.map(problem),
    });
  }

  // All.
  onUserConsoleLog(line) {
    const task = line.taskId && this.ctx.state.idMap.get(line.taskId);
    if (task) log({ file: task.file.filepath, name: task.type === 'suite' ? undefined : path(task) }, line.content);
  }
  end(errors) {
    for (const err of errors) emit({ e: 'error', file: err.VITEST_TEST_PATH, errors: [problem(err)] });
    const obsolete = this.ctx.snapshot?.summary?.unchecked || 0;
    emit({ e: 'end', n: obsolete });
  }
}

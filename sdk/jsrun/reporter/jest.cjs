// A reporter of jest: events for what sett reads.
'use strict';
const { emit, problem, log } = require('./emit.cjs');

const states = { passed: 'pass', failed: 'fail', pending: 'skip', skipped: 'skip', disabled: 'skip', todo: 'todo' };

module.exports = class {
  onRunStart(results) {
    emit({ e: 'total', n: results.numTotalTestSuites });
  }
  onTestFileStart(test) {
    emit({ e: 'file', file: test.path });
  }
  onTestStart(test) {
    this.onTestFileStart(test); // jest before 27
  }
  onTestCaseStart(test, info) {
    emit({ e: 'begin', file: test.path, name: [...info.ancestorTitles, info.title] });
  }
  onTestCaseResult(test, result) {
    this.tell('complete', test.path, result); // one that is tried again completes several times
  }
  onTestFileResult(test, result) {
    for (const r of result.testResults) this.tell('test', test.path, r);
    for (const line of result.console || []) log({ file: test.path }, line.message + '\n');
    if (result.testExecError || (result.failureMessage && !result.testResults.length)) {
      const err = result.testExecError || {};
      const p = problem(err.message || err.stack ? err : result.failureMessage);
      emit({ e: 'broken', file: test.path, errors: [{ ...p, report: result.failureMessage }] });
    }
    emit({ e: 'fileend', file: test.path });
  }
  onTestResult(test, result) {
    this.onTestFileResult(test, result); // jest before 27
  }
  tell(e, file, result) {
    const details = result.failureDetails || [];
    emit({
      e, file, name: [...result.ancestorTitles, result.title], state: states[result.status] || 'skip', ms: result.duration,
      errors: result.failureMessages?.map((stack, i) => ({ ...this.values(details[i]), stack })),
    });
  }
  // values are those that an assertion compared; those of expect are in its message.
  values(details) {
    const err = details?.error ?? details;
    if (!err || typeof err !== 'object' || err.matcherResult) return {};
    const { expected, actual } = problem(err);
    return { expected, actual };
  }
  onRunComplete(_, results) {
    const err = results.runExecError;
    if (err) emit({ e: 'error', errors: [problem(err)] });
    emit({ e: 'end', n: results.snapshot?.unchecked || 0 });
  }
};

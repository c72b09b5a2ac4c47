export interface TimeSource { now(): number }

export default class Clock implements TimeSource {
  static #shared?: Clock;
  static get shared(): Clock { return (this.#shared ??= new Clock()); }
  constructor(protected offset = 0) {}
  now(): number { return Date.now() + this.offset; }
}

export class FixedClock extends Clock {
  constructor(private readonly at: number) { super(-1); }
  override now(): number { return this.at + this.offset; }
}

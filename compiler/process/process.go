// Package process starts programs in groups of their own and ends whole groups, as far as the
// system knows groups.
//
// A program that was started with [Attributes] ends with this process where the system can do
// that (Linux). There it is the thread that counts: whoever starts a program calls
// [runtime.LockOSThread] before and keeps the thread until the program has ended, or the
// program may end early, with a thread that nobody needed any more. [Guard] ends the whole
// group then, and on every system that has groups.
package process

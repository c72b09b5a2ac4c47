// Package rt is what a compiled Pluto program links: values, failures, printing, errors,
// tasks and the test runner. A generated module holds a copy of it under the path pluto/rt;
// rt/sources has the text.
//
// Its package-level state is the state of the one program that the process runs.
//
// The package imports only light packages (no fmt, reflect, net, regexp, encoding), so that a
// small program links fast; what needs more lives in subpackages.
//
// # Program
//
//	rt.Sources("main.pluto", "util/text.pluto")     names of the files as messages show them
//	rt.Main(func() rt.Error { ... })                exit 0; error: uncaught ..., exit 1
//	rt.Exit(code int64)                             for fn main() int: low eight bits
//	rt.RunTests([]rt.Test{{Name, Line, Func}}, "Sequential")
//
// A failure's place is the innermost frame whose file is one of Sources: generated code has
// //line directives.
//
// # Values
//
//	*Array[T]{S}    NewArray(xs...) At Set Ref Len IsEmpty Push Pop First Last Clear Reverse
//	                InsertAt RemoveAt Slice; ArrayIndexOf ArrayContains (comparable T),
//	                ArrayIndexOfFunc (closures)
//	*Map[K,V]{M}    NewMap[K,V](n) With(k,v) Len Contains At Insert Remove; keys and values:
//	                MapKeys MapValues (int float string byte unit enum), BoolKeys BoolValues,
//	                m.Keys() m.Values() (enums with payloads)
//	*Set[T]{M}      NewSet(xs...) Len Contains Insert Remove; SetToArray, BoolSetToArray,
//	                s.ToArray(), by T as for maps
//	*Bytes{B}       NewBytes Len Push At Set ToString
//	Opt[T]{V, OK}   Some(v); the zero value is none
//	Void, SameFunc(f, g)
//	*Fn[F]{Call, Copy}   closures that may cross to another task; CopyFn. Box(v) *T
//	string          StrLen StrIsEmpty StrIsWhitespace StrContains StrStartsWith StrEndsWith
//	                StrIndexOf StrLastIndexOf StrCount StrSubstring StrTrim StrTrimStart
//	                StrTrimEnd StrToUpper StrToLower StrReplace StrSplit StrJoin StrAt
//	                StrByteAt StrRepeat StrToInt StrToFloat (Opt) StrToBytes; Quote
//	numbers         FloatToInt BoolToInt AbsInt AbsFloat PowInt (T, Error) PowFloat ModFloat
//	                NaN Inf(positive) NegZero DivZero(x)
//	                Sqrt Floor Ceil Round Sin Cos Tan Log
//	texts           ShowInt ShowFloat ShowBool ShowByte
//
// Integer operators are Go's: division by zero and nil are translated when they panic. Shift
// counts are masked with 63 by generated code.
//
// # Output, input, clock
//
//	PrintInt PrintFloat PrintBool PrintByte PrintString   with newline
//	Write(s)          without newline
//	Warn(line)        stderr, after what was printed
//	Flush() ReadLine() NextLine(out) ReadAll() TimeNs() SleepNs(ns) GCHeapSize()
//
// # Failures
//
//	panic(rt.Fault("requires violation in half: n > 0"))   costs the inliner nothing
//	FailRequires(place, expr) FailEnsures FailInvariant(class, expr) FailAssert(expr)
//	Fail("pluto: ...")        for externs
//	panic(rt.Unset())         an enum that was never set
//
// They do not return, which Go does not know: a function that ends in one needs a panic or
// return after it.
//
// # Errors
//
//	type NotFound struct { rt.Raised; Key string }        one per declared error, implementing
//	ErrorName() ErrorMessage() ErrorText()                rt.Error by pointer; ErrorAt comes from Raised
//	&NotFound{Raised: rt.At(0, 3), Key: k}
//	rt.MathError RustError ChannelClosed ChannelFull ChannelEmpty TaskCancelled NetworkError
//	{Message}, TimeoutError{Millis}, ServiceUnavailable{Service}
//
// A named function whose closures raise:
//
//	func f() (r int64, err rt.Error) {
//		fr := rt.NewFrame()
//		defer fr.Catch(&err)
//		g := func() int64 { panic(fr.Raise(&NotFound{...})) }
//
// Where an error meets code that cannot pass it on (typed handlers that cover all declared
// errors, but TaskCancelled came; no handler at all): panic(rt.Escape(err)) ends the task
// with that error.
//
// # Tasks and channels
//
//	c := rt.NewCopier()                                   only when something is captured
//	t := rt.Go(c, "name", func() (T, rt.Error) { ... })   *Task[T]; c may be nil
//	t.Get() (T, Error)  t.MustGet() T  t.Detach()  t.Cancel()
//	tx, rx := rt.Chan[T](capacity); defer tx.Release()    no Release when tx may escape
//	tx.Send(v) Error  tx.TrySend(v) Error  tx.Close()
//	rx.Recv() (T, Error)  rx.TryRecv() (T, Error)  rx.Next() (T, bool)
//	i, err := rt.Select(hasDefault, rx.Case(&v), tx.Case(w))   i is -1 for the default
//	rt.RWLock: Lock Unlock RLock RUnlock                  reentrant, for methods of singletons
//
// Copies: generated functions copyC(c *rt.Copier, x *C) *C begin with
//
//	if n, ok := rt.Copied(c, x); ok { return n }          also nil and shared objects
//	n := new(C); rt.Remember(c, x, n); *n = C{...}
//
// and rt.CopyArray CopyMap CopySet (with functions for the parts, nil for plain ones),
// CopyBytes and tx.Copy(c) do the rest. rt.Share(p) at start-up marks singletons and the app.
// Objects need a size for their identity: an empty class gets a field `_ byte`.
//
// # Tests
//
//	ExpectInt(line, got, want) ExpectFloat ExpectBool ExpectString ExpectByte
//	ExpectTrue(line, got) ExpectFalse(line, got)
//
// The program reads its orders from the environment:
//
//	PLUTO_TEST_FILTER       run tests whose name contains it
//	PLUTO_TEST_SKIP         numbers of tests not to run, from 0, separated by commas
//	PLUTO_TEST_FAIL_FAST=1  stop after the first failure
//	PLUTO_TEST_TIMEOUT_MS   for each run of a test, 60000 unless set; 0 is none
//	PLUTO_TEST_JSON=1       instead of the lines for people, a JSON object for each test:
//	                        name, line, outcome (passed, failed), duration_ms, output, message
//	PLUTO_TEST_REPORT       a file to append lines to: `start i`, then `passed i ms` or
//	                        `failed i ms`, and `done` at the end
//	PLUTO_TEST_SEED, PLUTO_TEST_ITERATIONS, PLUTO_MAX_SCHEDULES, PLUTO_MAX_DEPTH
//
// A test can end the process (stack overflow, memory). Then the report ends in a `start i`;
// whoever started the process starts it again with the same environment: it tells that test i
// failed, and goes on with the next, counting those before. Skipped tests are not counted.
package rt
